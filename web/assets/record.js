/** The public record: its last checkpoint, and all that is promised and proven about it today. */

import { h } from "./dom.js";
import { section, table } from "./site.js";
import { TEXT } from "./strings/pages.js";

const WORDS = TEXT.record;
const CHECKPOINT = "/record/checkpoint";

/** The content of the page. */
export async function page() {
  document.title = `${WORDS.title} – ${TEXT.site}`;
  const response = await fetch(CHECKPOINT);
  if (!response.ok && response.status !== 404) throw new Error(WORDS.unread);
  const [origin, size, root] = response.ok ? (await response.text()).split("\n") : [];
  return [
    h("h1", {}, WORDS.title),
    h("p", {}, WORDS.intro),
    origin ? checkpoint(origin, size, root) : h("p", { class: "problem" }, WORDS.unsigned),
    origin && section("of-promises", WORDS.promises, list(WORDS.promised)),
    section("of-limits", WORDS.limits, list(WORDS.limited)),
  ];
}

/** @param {string} origin @param {string} [size] @param {string} [root] */
function checkpoint(origin, size, root) {
  const rows = [
    [WORDS.name, h("code", {}, origin)],
    [WORDS.leaves, size],
    [WORDS.root, h("code", {}, root)],
  ];
  return section("of-checkpoint", WORDS.checkpoint, table([WORDS.part, WORDS.value], rows), h("p", {}, h("a", { href: CHECKPOINT }, WORDS.note)));
}

/** @param {string[]} sentences */
function list(sentences) {
  return h("ul", {}, sentences.map((sentence) => h("li", {}, sentence)));
}
