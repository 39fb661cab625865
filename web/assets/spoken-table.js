/** The table in words, as the server writes it; a search leaves the parts that have all of its words. */

import { h } from "./dom.js";
import { partsWith } from "./pick.js";
import { TABLE } from "./strings/table.js";

export class SpokenTable {
  #text = "";
  #search = h("input", { type: "search", "aria-label": TABLE.searchWords, placeholder: TABLE.searchWords, autocomplete: "off" });
  #shown = h("pre", { tabindex: "0", "aria-label": TABLE.words });
  element = h("details", { class: "words" }, h("summary", {}, TABLE.words), this.#search, this.#shown);

  constructor() {
    this.#search.addEventListener("input", () => this.#draw());
  }

  /** @param {string} text */
  show(text) {
    this.#text = text;
    this.#draw();
  }

  #draw() {
    this.#shown.textContent = partsWith(this.#text, this.#search.value);
  }
}
