"""The old name of `tabularium_engines.builds.package_build`, until the next release."""

from __future__ import annotations

import warnings
from typing import Any

from tabularium_engines.builds import package_build


def compiled_game(*paths: str) -> dict[str, Any]:
    """As it does there, with a warning."""
    new = package_build.__name__
    message = f"{__name__} is {new} now; the old name goes with the next release."
    warnings.warn(message, FutureWarning, stacklevel=2)
    return package_build.compiled_game(*paths)
