"""Replays as animated WebP: drawn by workers, each in a child process, and kept for a while."""
