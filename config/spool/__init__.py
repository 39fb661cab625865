"""The spool, the broker of a machine without Redis: a folder in which every message is a file.

Publishing renames a file into a queue, claiming renames it out, acknowledging deletes it. The
claims of a dead process return to their queues, so killing a process loses nothing.
"""
