"""The broker of a machine without Redis: a folder in which every message is a file.

Publishing renames a file into a queue, claiming renames it out of it, acknowledging deletes it. A
claim whose process died goes back into its queue, so killing a process loses nothing.
"""
