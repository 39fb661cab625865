"""`python -m tabularium_engines.adapters.action_digests`: record the digest of the action numbers
of each ruleset that has none. No recorded digest changes: its numbers are in trained networks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.installed.registry import find_engine, project_rulesets

FILE: Final = Path(__file__).with_name("action_digests.json")


def main() -> None:
    """Add the digests that are missing, and print a line for each."""
    digests: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    for slug, version in project_rulesets():
        versions = digests.setdefault(slug, {})
        if str(version) not in versions:
            versions[str(version)] = action_space(find_engine(slug, version)).digest()
            print(f"Recorded the action numbers of {slug} version {version}.")  # noqa: T201
    FILE.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
