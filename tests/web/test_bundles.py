"""Modules that are served as one script do the same as apart."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.missing_requirements import lacks
from web import assets
from web.bundles import Bundles
from web.lean import lean_script

SOURCES: Final = {
    "one.js": """import { shared, second as other } from "./parts/shared.js";
import "./effect.js";

const name = "one";
export const first = () => `${name} ${shared()} ${other}`;
export async function later() {
  const [{ rare }, { last }] = await Promise.all([import("./rare.js"), import("./two.js")]);
  return `${rare} ${last} ${(await import("./effect.js")).seen()}`;
}
""",
    "effect.js": """let count = 0;
count += 1;
export function seen() {
  return count;
}
""",
    "rare.js": """import { shared } from "./parts/shared.js";
export const rare = `rare ${shared()}`;
""",
    "parts/shared.js": """const name = "shared";
export const second = 2;
export const unused = 3;
export function shared() {
  return name;
}
""",
    "two.js": """import { first } from "./one.js";
import { shared } from "./parts/shared.js";
export const last = `two ${shared()}`;
export class Two {
  text = first();
}
""",
    "main.js": """import { first, later } from "./one.js";
import { Two } from "./two.js";
console.log(first(), await later(), new Two().text);
""",
}
ENTRIES: Final[dict[str, tuple[str, ...]]] = {"one.js": (), "two.js": ("rare.js",)}

pytestmark = pytest.mark.skipif(lacks("node"), reason="scripts run in node")


def output_of(folder: Path, scripts: dict[str, str]) -> str:
    """The output of `main.js` beside these scripts."""
    for name, text in {**scripts, "package.json": '{"type": "module"}'}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    command = ["node", str(folder / "main.js")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_bundles_do_what_their_modules_do(tmp_path: Path) -> None:
    bundles = Bundles(SOURCES, ENTRIES)
    served = {name: lean_script(bundles.script(name)) for name in ("main.js", *ENTRIES)}
    apart = output_of(tmp_path / "apart", SOURCES)
    assert apart == "one shared 2 rare shared two shared 1 one shared 2\n"
    assert output_of(tmp_path / "together", served) == apart


def test_a_module_is_in_the_first_bundle_that_needs_it() -> None:
    found = Bundles(SOURCES, ENTRIES).bundle_of
    assert found["parts/shared.js"] == found["effect.js"] == found["one.js"] == "one.js"
    assert found["rare.js"] == found["two.js"] == "two.js"
    assert "main.js" not in found


def test_what_nobody_needs_is_not_given() -> None:
    assert "unused" not in Bundles(SOURCES, ENTRIES).script("one.js").split("return {")[1]


def test_modules_that_import_each_other_are_refused() -> None:
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match="import each other"):
        Bundles(circle, {"a.js": ()}).script("a.js")


def test_every_import_and_export_of_the_pages_is_understood() -> None:
    for entry in assets.scripts().entries:
        lines = assets.scripts().script(entry).splitlines()
        assert all('from "./' in line for line in lines if line.startswith("import "))
        assert all(line.startswith("export ") for line in lines if "export {" in line)
        own = [line for line in lines if line.startswith("export ")]
        assert all(line.startswith(("export { $", "export const { ")) for line in own)
