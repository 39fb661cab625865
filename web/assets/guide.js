/** A page of the documentation, as the server has it. */

import { h } from "./dom.js";
import { markdown } from "./markdown.js";
import { addressed } from "./site.js";
import { TEXT } from "./strings/pages.js";

const WORDS = TEXT.guide;
const COMMENT = /^<!--.*-->\n/gm;
const LINK = /\]\(([^()\s]+)\)/g;
const RULES = /(?:^|\/)engines\/(\w+)\/RULES\.md(#.*)?$/;
const FILE = /^(?:\.\.\/|docs\/|examples\/)*([\w-]+)\.(json|md|png|py|svg)(#.*)?$/;

/** The content of the page. */
export async function page() {
  const response = await fetch(`/guides/${addressed("guide")}.md`);
  if (!response.ok) throw new Error(WORDS.missing);
  const text = (await response.text()).replace(COMMENT, "").replace(LINK, (_, address) => `](${placeOf(address)})`);
  const elements = markdown(text);
  document.title = `${elements[0]?.textContent} – ${TEXT.site}`;
  return [h("p", {}, h("a", { href: "/guides" }, WORDS.all)), h("article", { class: "book", lang: "en" }, elements)];
}

/** Where the server has what a link of the repository leads to; the link itself if it has not. @param {string} address */
function placeOf(address) {
  const [, rules, chapter = ""] = RULES.exec(address) ?? [];
  if (rules) return `/rules/${rules}${chapter}`;
  const [, name = "", kind, part = ""] = FILE.exec(address) ?? [];
  if (!kind) return address;
  if (kind !== "md") return `/guides/${name}.${kind}`;
  return name === "README" ? `/guides${part}` : `/guides/${name.toLowerCase()}${part}`;
}
