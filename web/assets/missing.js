/** The page of an address that there is not. */

import { h } from "./dom.js";
import { TEXT } from "./strings/pages.js";

const WORDS = TEXT.missing;

/** The content of the page. */
export async function page() {
  const links = Object.entries(WORDS.links).map(([address, label]) => h("li", {}, h("a", { href: address }, label)));
  return [h("h1", {}, WORDS.title), h("p", {}, WORDS.said), h("ul", { class: "links" }, links)];
}
