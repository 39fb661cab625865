"""Pictures as PNG: drawn by resvg in child processes, and kept."""
