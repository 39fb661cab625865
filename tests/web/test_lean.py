"""Scripts and styles without comments and space: they have the tokens of their sources."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from web import assets
from web.lean import lean_script, lean_style

TYPESCRIPT: Final = PROJECT_ROOT / "clients/typescript/node_modules/typescript/lib/typescript.js"
COMPARE: Final = Path(__file__).with_name("tokens.mjs")
SCRIPTS: Final = {
    "comments": ("a(); // one\n/* two */ b(/* three */ c);\n", "a();b(c);\n"),
    "a comment in a text": ("f(\"// no\", '/* no */', `/* ${g(/* yes */ 1)} */`);", None),
    "a template in a template": ("f(`a ${b ? `{ ${c} }` : '}'} // d`);", None),
    "braces in a template": ("f(`${ { a: '}' }.a } b`);", None),
    "a pattern with quotes": ("f(/[\"'/]/.test(a), b); // c\n", "f(/[\"'/]/.test(a),b);\n"),
    "a pattern after return": ("return /a  b/u;", "return /a  b/u;\n"),
    "a division": ("a = b / c; d = e / f; // g\n", "a=b / c;d=e / f;\n"),
    "a division after a bracket": ("a = (b) / c['d'] / e; f('/');", None),
    "signs that would join": ("a = b + +c - -d;", "a=b + +c - -d;\n"),
    "a line without a semicolon": ("a\n(b)\nlet c", "a\n(b)\nlet c\n"),
    "a line that goes on": ("a = [\n  1,\n  2\n]\n", "a=[1,2]\n"),
    "words": ("async   function\tf() { return new X; }", "async function f(){return new X;}\n"),
}
UNCHANGED: Final = {
    "a comment in a text": "f(\"// no\",'/* no */',`/* ${g(/* yes */ 1)} */`);\n",
    "a template in a template": "f(`a ${b ? `{ ${c} }` : '}'} // d`);\n",
    "braces in a template": "f(`${ { a: '}' }.a } b`);\n",
    "a division after a bracket": "a=(b)/ c['d']/ e;f('/');\n",
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script(case: str) -> None:
    source, expected = SCRIPTS[case]
    assert lean_script(source) == (expected or UNCHANGED[case])


def test_a_style() -> None:
    source = (
        "/* a */\n.b > c, d:not(e) {\n  margin: 0 auto; /* f */\n}\n@media (x: 1) { a { b: c; } }\n"
    )
    assert lean_style(source) == (".b>c,d:not(e){margin:0 auto}@media (x:1){a{b:c}}\n")


def test_every_script_keeps_its_tokens(tmp_path: Path) -> None:
    """TypeScript reads the same from both: the sources, and the bundles as they are served."""
    if not TYPESCRIPT.exists() or not shutil.which("node"):
        pytest.skip("TypeScript is missing: `make typescript` installs it and runs this")
    scripts = assets.scripts()
    sources = {path: path.read_text("utf-8") for path in sorted(assets.FOLDER.rglob("*.js"))}
    pairs = [[text, lean_script(text)] for text in sources.values()]
    pairs += [[text, lean_script(text)] for text in map(scripts.script, scripts.entries)]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs), encoding="utf-8")
    command = ["node", str(COMPARE), str(TYPESCRIPT), str(tmp_path / "pairs.json")]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout == f"{len(pairs)}\n"
