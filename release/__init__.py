"""The release of a version: its refusals, and the files that are published (`make release`)."""
