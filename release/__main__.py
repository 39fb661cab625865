"""`python -m release [--interpreted]`: builds all files of a release into build/release, from the
committed sources alone."""

from __future__ import annotations

import argparse
import sys

from release.building import OUTPUT, build
from release.refusals import refusals


def main() -> None:
    """Refuse and give every reason, or build and list the files."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument(
        "--interpreted", action="store_true", help="wheels for every machine, without compiled code"
    )
    arguments = parser.parse_args()
    if reasons := refusals(arguments.interpreted):
        sys.exit("\n".join(["No release is built.", *reasons]))
    build(arguments.interpreted)
    sys.stdout.writelines(f"{path}\n" for path in sorted(OUTPUT.iterdir()))


if __name__ == "__main__":
    main()
