import assert from "node:assert/strict";
import { test } from "node:test";

import { anchorOf, markdown } from "../../../web/assets/markdown.js";

/** An element as HTML text, to compare. */
function h(name, attributes = {}, ...children) {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${pairs.join("")}>${children.flat(Infinity).join("")}</${name}>`;
}

const made = (text) => markdown(text, h).join("\n");

const SAMPLES = {
  "a heading": ["## Who begins: *you*", '<h2 id="who-begins-you">Who begins: <em>you</em></h2>'],
  "a paragraph of two lines": ["One\ntwo.\n\nThree.", "<p>One two.</p>\n<p>Three.</p>"],
  "bold, italics and code": ["**R1** is *so*: `a*b*`", "<p><strong>R1</strong> is <em>so</em>: <code>a*b*</code></p>"],
  "italics in bold": ["**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
  "stars that stand alone": ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
  "an escape": ["\\*no\\*", "<p>*no*</p>"],
  "a list with continued lines": ["- one\n  more\n- two", "<ul><li>one more</li><li>two</li></ul>"],
  "a numbered list": ["3. three\n4. four", '<ol start="3"><li>three</li><li>four</li></ol>'],
  "a nested list": ["- one\n  - inner\n  - more\n- two", "<ul><li>one<ul><li>inner</li><li>more</li></ul></li><li>two</li></ul>"],
  "a deep list": ["- a\n  - b\n    1. c", "<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul>"],
  "an item of two paragraphs": ["- one\n\n  more\n\nafter", "<ul><li>one<p>more</p></li></ul>\n<p>after</p>"],
  "a list after a paragraph": ["So:\n- one", "<p>So:</p>\n<ul><li>one</li></ul>"],
  "a table": [
    "| a | b |\n|---|:-:|\n| `x\\|y` | **2** |",
    '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>' +
      "<tbody><tr><td><code>x\\|y</code></td><td><strong>2</strong></td></tr></tbody></table></div>",
  ],
  "code": ["```json\n{\"a\": *1*}\n\n# no\n```\nafter", '<pre tabindex="0"><code>{"a": *1*}\n\n# no</code></pre>\n<p>after</p>'],
  "code without an end": ["```\nx", '<pre tabindex="0"><code>x</code></pre>'],
  "a quote": ["> one\n> - two", "<blockquote><p>one</p><ul><li>two</li></ul></blockquote>"],
  "a line": ["a\n\n---\n\nb", "<p>a</p>\n<hr></hr>\n<p>b</p>"],
  "an image": ["![A table](/guides/table.svg)", '<p><img src="/guides/table.svg" alt="A table" loading="lazy"></img></p>'],
  "an image from nowhere": ["![A table](table.svg)", "<p>A table</p>"],
  "a link": ["see [who begins](#who-begins)", '<p>see <a href="#who-begins">who begins</a></p>'],
};

for (const [name, [text, expected]] of Object.entries(SAMPLES)) {
  test(name, () => assert.equal(made(text), expected));
}

test("links lead to safe places alone", () => {
  for (const address of ["https://example.org/", "http://a.example", "mailto:a@b.example", "#x", "/rules/x"]) {
    assert.match(made(`[a](${address})`), /<a href/);
  }
  for (const address of ["javascript:x", "JavaScript:x", "data:text/html,x", "//elsewhere.example", "vbscript:x"]) {
    assert.equal(made(`[a](${address})`), "<p><span>a</span></p>");
  }
});

test("text is text", () => {
  const texts = [];
  markdown("<script>x</script> <b>y</b> &amp;", (name, _, ...children) => {
    texts.push(...children.flat(Infinity));
    return name;
  });
  assert.deepEqual(texts, ["<script>x</script> <b>y</b> &amp;"]);
});

test("anchors are those of the rule books' links", () => {
  assert.equal(anchorOf("Two legs"), "two-legs");
  assert.equal(anchorOf("The `draw` pile, **again**"), "the-draw-pile-again");
});

test("a hostile text ends soon", () => {
  for (const piece of ["*", "**", "[", "`", "> ", "- ", "|", "[a](", "  - "]) {
    assert.ok(Array.isArray(markdown(piece.repeat(200), h)));
    assert.ok(Array.isArray(markdown(`${piece}\n`.repeat(500), h)));
  }
});
