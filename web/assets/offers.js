/** The list of what a seat may do: always whole, narrowed by marks, words and choices of fields. */

import { button, h, refill, walk } from "./dom.js";
import { facetMark, facets, left, parseMark } from "./pick.js";
import { Said } from "./said.js";
import { TABLE } from "./strings/table.js";

const SEARCHED = 12; // from more offers on, there is a search
const FACETED = 40; // and from more on, a choice for each field that differs
const SHOWN = 60;

export class Offers {
  /** @type {import("./pick.js").Offer[]} */
  offers = [];
  /** @type {string[]} texts of the marks that are picked */
  picked = [];
  words = "";
  /** @type {Map<string, string>} the values of fields that are chosen */
  chosen = new Map();
  /** @type {import("./pick.js").Offer | null} the one to confirm */
  asked = null;
  isAwaited = true;

  /**
   * @param {{act: (offer: import("./pick.js").Offer) => Promise<void>, check: (action: import("./pick.js").Action) => Promise<any>,
   *   changed: () => void, atOnce: () => boolean}} table
   */
  constructor(table) {
    this.table = table;
    this.said = new Said({ check: table.check, heard: (offer) => this.#confirm(offer) });
    this.search = h("input", { type: "search", "aria-label": TABLE.search, placeholder: TABLE.search, autocomplete: "off" });
    this.search.addEventListener("input", () => this.#narrow({ words: this.search.value }));
    this.fields = h("div", { class: "facets" });
    this.count = h("p", { class: "faint", role: "status" });
    this.list = h("ul", { class: "offers", "aria-label": TABLE.yourActions });
    this.bar = h("div", { class: "bar", hidden: true });
    this.heading = h("summary", {}, TABLE.yourActions);
    this.element = h("details", { class: "choice", open: true }, this.heading, this.bar, this.said.element, this.search, this.fields, this.count, this.list);
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
  }

  /** @param {{offers?: import("./pick.js").Offer[], forms?: import("./said.js").Form[], picked?: string[], isAwaited?: boolean | undefined}} news */
  set(news) {
    if (news.offers && news.offers !== this.offers) {
      this.asked = null;
      this.chosen.clear();
      this.words = this.search.value = "";
      this.said.show(news.forms ?? []);
    }
    const { offers = this.offers, picked = this.picked, isAwaited = this.isAwaited } = news;
    const isOther = isAwaited !== this.isAwaited;
    Object.assign(this, { offers, picked, isAwaited });
    this.#draw();
    if (isOther) this.#fold(!isAwaited);
  }

  /** What need not be done is folded until the person unfolds it. @param {boolean} isFolded */
  #fold(isFolded) {
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
    if (isFolded && this.element.contains(activeElement)) this.heading.focus();
    this.element.open = !isFolded;
  }

  /** All offers that are left. */
  left() {
    const marks = [...this.picked.map(parseMark), ...[...this.chosen].map(([field, value]) => facetMark(field, value))];
    return left(this.offers, marks, this.words);
  }

  /** The one offer that would be done now, if it is one. */
  only() {
    const offers = this.left();
    return this.asked ?? (offers.length === 1 ? offers[0] ?? null : null);
  }

  /** @param {{words?: string, asked?: import("./pick.js").Offer | null}} change */
  #narrow(change) {
    Object.assign(this, { asked: null }, change);
    this.#draw();
    this.table.changed();
  }

  #draw() {
    const offers = this.left();
    const isNarrowed = this.picked.length > 0 || this.words !== "" || this.chosen.size > 0;
    const only = this.asked ?? (isNarrowed && offers.length === 1 ? offers[0] : null);
    this.heading.textContent = this.isAwaited ? TABLE.yourActions : TABLE.mayAct;
    this.search.hidden = this.offers.length <= SEARCHED;
    this.#drawFields();
    this.count.textContent = this.offers.length ? TABLE.shown(offers.length, this.offers.length) : TABLE.noActions;
    refill(this.list, [offers.length, offers.slice(0, SHOWN)], () => this.#items(offers), this.heading);
    this.#drawBar(only ?? null, isNarrowed);
  }

  /** @param {import("./pick.js").Offer[]} offers */
  #items(offers) {
    const more = offers.length > SHOWN ? h("li", { class: "faint" }, TABLE.more(offers.length - SHOWN)) : null;
    return [offers.slice(0, SHOWN).map((offer) => h("li", {}, this.#button(offer))), more];
  }

  #drawFields() {
    this.fields.hidden = this.offers.length <= FACETED;
    if (this.fields.hidden) return;
    const shown = [this.offers.map(({ label }) => label), [...this.chosen]];
    refill(this.fields, shown, () => facets(this.offers).map(({ field, values }) => this.#select(field, values)));
  }

  /** @param {string} field @param {string[]} values */
  #select(field, values) {
    const chosen = this.chosen.get(field);
    const options = values.map((value) => h("option", { value: `=${value}`, selected: value === chosen }, said(value)));
    const select = h("select", {}, h("option", { value: "" }, TABLE.any), options);
    select.addEventListener("change", () => {
      if (select.value) this.chosen.set(field, select.value.slice(1));
      else this.chosen.delete(field);
      this.#narrow({});
      [...this.fields.querySelectorAll("select")].find((one) => one.dataset.field === field)?.focus();
    });
    select.dataset.field = field;
    return h("label", {}, `${said(field)} `, select);
  }

  /** @param {import("./pick.js").Offer} offer */
  #button(offer) {
    return button(offer.label, () => (this.table.atOnce() ? this.#act(offer) : this.#narrow({ asked: offer })));
  }

  /** @param {import("./pick.js").Offer | null} only @param {boolean} isNarrowed */
  #drawBar(only, isNarrowed) {
    this.bar.hidden = !only && !isNarrowed;
    const build = () => [
      only
        ? [h("strong", {}, only.label), button(TABLE.confirm, () => this.#act(only), { class: "primary" })]
        : h("span", {}, TABLE.narrow),
      button(TABLE.letGo, () => this.letGo()),
    ];
    refill(this.bar, this.bar.hidden ? null : [only], () => (this.bar.hidden ? [] : build()), this.heading);
  }

  /** Ask for the confirmation of an action. @param {import("./pick.js").Action} action */
  ask(action) {
    const key = JSON.stringify(action);
    this.#confirm(this.offers.find((offer) => JSON.stringify(offer.action) === key) ?? null);
  }

  /** @param {import("./pick.js").Offer | null} offer */
  #confirm(offer) {
    this.#narrow({ asked: offer });
    this.bar.querySelector("button")?.focus();
  }

  /** Forget all picks, words and choices. */
  letGo() {
    this.picked = [];
    this.chosen.clear();
    this.search.value = "";
    this.#narrow({ words: "" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (walk(this.list, event)) return;
    const isTyping = /** @type {HTMLElement} */ (event.target).matches("input, select");
    if (event.key === "Escape") this.letGo();
    else if (event.key === "/" && !isTyping && !this.search.hidden) this.search.focus();
    else if (/^[1-9]$/.test(event.key) && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey) {
      this.list.querySelectorAll("button")[Number(event.key) - 1]?.focus();
    } else if (event.key === "Enter" && event.target === this.search) this.#enter();
    else return;
    event.preventDefault();
  }

  #enter() {
    const only = this.only();
    if (only) this.#act(only);
  }

  /** Its button stays pressable: the next choice may have the same one before the reply is there. @param {import("./pick.js").Offer} offer */
  #act(offer) {
    void this.table.act(offer);
  }
}

/** A name of a field or a value in words. @param {string} text */
function said(text) {
  const words = text.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
