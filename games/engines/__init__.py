"""The old name of `tabularium_engines`: importing it lets its modules be found, with a warning."""

from __future__ import annotations

from tabularium_engines.installed import moved_names

moved_names.install_finder()
