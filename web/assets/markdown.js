/** The Markdown of rule books and guides as elements: headings, paragraphs, lists, tables, code, quotes, links and
 *  images. Text becomes text nodes, so that no rule book can bring elements of its own. */

import { h as element } from "./dom.js";

const FENCE = /^```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)([-*]|\d+[.)])\s+/;
const QUOTE = /^> ?/;
const RULE = /^(?:---+|\*\*\*+)\s*$/;
const TABLE = /^\s*\|/;
const DELIMITERS = /^\s*\|?[\s:|-]*-[\s:|-]*$/;
const INLINE = /\\([\\`*_{}[\]()#+.!|>-])|(`+)(.+?)\2|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|(!?)\[([^\]]+)\]\(([^()\s]+)\)/;
const SAFE = /^(?:https?:\/\/|mailto:|#|\/(?!\/))/i;

/**
 * The elements of a text.
 * @param {string} text
 * @param {typeof element} [h] makes the elements
 * @returns {any[]}
 */
export function markdown(text, h = element) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), h);
}

/** The name of a heading in addresses. @param {string} heading */
export function anchorOf(heading) {
  const plain = heading.replace(/[`*]/g, "").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
}

/** @param {string[]} lines @param {typeof element} h @returns {any[]} */
function blocks(lines, h) {
  const made = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    if (!isEmpty(lines, at)) made.push(block(lines.slice(at, end), h));
    at = end;
  }
  return made;
}

/** A line, or an empty one after the last. @param {string[]} lines @param {number} at */
function lineAt(lines, at) {
  return lines[at] ?? "";
}

/** @param {string[]} lines @param {number} at */
function isEmpty(lines, at) {
  return !lineAt(lines, at).trim();
}

/** The line after the block that begins at a line. @param {string[]} lines @param {number} at */
function endOfBlock(lines, at) {
  const first = lineAt(lines, at);
  const after = (/** @type {(line: string, index: number) => boolean} */ stops) => {
    let end = at + 1;
    while (end < lines.length && !stops(lineAt(lines, end), end)) end += 1;
    return end;
  };
  if (FENCE.test(first)) return Math.min(after((line) => FENCE.test(line)) + 1, lines.length);
  if (!first.trim() || HEADING.test(first) || RULE.test(first)) return at + 1;
  if (isTable(lines, at)) return after((line) => !TABLE.test(line));
  if (QUOTE.test(first)) return after((line) => !QUOTE.test(line));
  if (ITEM.test(first)) return after((line, index) => endsList(lines, index));
  return after((line, index) => !line.trim() || beginsBlock(lines, index));
}

/** @param {string[]} lines @param {number} at */
function isTable(lines, at) {
  return TABLE.test(lineAt(lines, at)) && DELIMITERS.test(lineAt(lines, at + 1));
}

/** @param {string[]} lines @param {number} at */
function beginsBlock(lines, at) {
  return [FENCE, HEADING, QUOTE, ITEM, RULE].some((begin) => begin.test(lineAt(lines, at))) || isTable(lines, at);
}

/** A list goes on over empty lines with what is indented, and with its next item. @param {string[]} lines @param {number} at */
function endsList(lines, at) {
  const line = lineAt(lines, at);
  const next = lineAt(lines, at + 1);
  if (!line.trim()) return !/^\s+\S/.test(next) && !ITEM.test(next);
  return !/^\s/.test(line) && !ITEM.test(line) && (isEmpty(lines, at - 1) || beginsBlock(lines, at));
}

/** @param {string[]} lines @param {typeof element} h */
function block(lines, h) {
  const first = lineAt(lines, 0);
  const [, level, title = ""] = HEADING.exec(first) ?? [];
  if (level) return h(`h${level.length}`, { id: anchorOf(title) }, inline(title, h));
  if (FENCE.test(first)) {
    const body = FENCE.test(lines.at(-1) ?? "") && lines.length > 1 ? lines.slice(1, -1) : lines.slice(1);
    return h("pre", { tabindex: 0 }, h("code", {}, body.join("\n")));
  }
  if (isTable(lines, 0)) return table(lines, h);
  if (QUOTE.test(first)) return h("blockquote", {}, blocks(lines.map((line) => line.replace(QUOTE, "")), h));
  if (ITEM.test(first)) return list(lines, h);
  if (RULE.test(first)) return h("hr");
  return h("p", {}, inline(lines.map((line) => line.trim()).join(" "), h));
}

/** @param {string[]} lines @param {typeof element} h */
function list(lines, h) {
  const [, indent = "", mark = ""] = ITEM.exec(lineAt(lines, 0)) ?? [];
  /** @type {string[][]} */
  const items = [];
  let width = 0;
  for (const line of lines) {
    const [begin, depth = ""] = ITEM.exec(line) ?? [];
    if (begin && depth.length <= indent.length) {
      width = begin.length;
      items.push([line.slice(width)]);
    } else {
      items.at(-1)?.push(line.replace(new RegExp(`^\\s{0,${width}}`), ""));
    }
  }
  const start = Number.parseInt(mark, 10);
  const attributes = start > 1 ? { start } : {};
  return h(Number.isNaN(start) ? "ul" : "ol", attributes, items.map((item) => h("li", {}, itemContent(item, h))));
}

/** A first paragraph stands in its item itself. @param {string[]} lines @param {typeof element} h */
function itemContent(lines, h) {
  const end = endOfBlock(lines, 0);
  if (beginsBlock(lines, 0)) return blocks(lines, h);
  const text = lines.slice(0, end).map((line) => line.trim()).join(" ");
  return [inline(text, h), blocks(lines.slice(end), h)];
}

/** @param {string[]} lines @param {typeof element} h */
function table(lines, h) {
  const [head = [], , ...rows] = lines.map(cells);
  const row = (/** @type {string} */ name, /** @type {string[]} */ texts) =>
    h("tr", {}, texts.map((text) => h(text || name === "td" ? name : "td", name === "th" && text ? { scope: "col" } : {}, inline(text, h))));
  const inside = h("table", {}, h("thead", {}, row("th", head)), h("tbody", {}, rows.map((texts) => row("td", texts))));
  return h("div", { class: "scroll", tabindex: 0 }, inside);
}

/** @param {string} line */
function cells(line) {
  const inside = line.trim().replace(/^\||\|$/g, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/**
 * The elements of a line, such as code.
 * @param {string} text @param {typeof element} [h] makes the elements
 * @returns {any[]}
 */
export function inline(text, h = element) {
  const found = INLINE.exec(text);
  if (!found) return text ? [text] : [];
  const [whole, escaped, , code, strong, emphasis, image, label = "", address = ""] = found;
  const rest = inline(text.slice(found.index + whole.length), h);
  const before = text.slice(0, found.index);
  return [...(before ? [before] : []), inlineElement(), ...rest];

  function inlineElement() {
    if (escaped) return escaped;
    if (code) return h("code", {}, code);
    if (strong) return h("strong", {}, inline(strong, h));
    if (emphasis) return h("em", {}, inline(emphasis, h));
    if (image) return SAFE.test(address) ? h("img", { src: address, alt: label, loading: "lazy" }) : label;
    return SAFE.test(address) ? h("a", { href: address }, inline(label, h)) : h("span", {}, inline(label, h));
  }
}
