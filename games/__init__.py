"""Games, their rulesets and their logs. Importing this installs the finder of compiled engines."""

from games import compiled_engines

compiled_engines.install_finder()
