"""The games, their rules and (with the next issue) their log; engines are found compiled or not."""

from games import compiled_engines

compiled_engines.install_finder()
