/** Actions that are said in words, where a ruleset takes them: the server tells what it understands. */

import { fill, form, h } from "./dom.js";
import { TABLE } from "./strings/table.js";

/** @typedef {{type: string, member: string, title: string}} Form an action, the member that takes the words, the request for them */

export class Said {
  element = h("div");

  /** @param {{check: (action: import("./pick.js").Action) => Promise<any>, heard: (offer: import("./pick.js").Offer) => void}} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {Form[]} forms */
  show(forms) {
    fill(this.element, forms.map((each) => this.#line(each)));
  }

  /** @param {Form} form */
  #line({ type, member, title }) {
    const refusal = h("p", { class: "problem", role: "alert", hidden: true });
    const words = h("input", { name: member, autocomplete: "off" });
    const say = async (/** @type {FormData} */ fields) => {
      const { offer, detail } = await this.table.check({ type, [member]: fields.get(member) });
      refusal.hidden = Boolean(offer);
      refusal.textContent = detail;
      if (offer) this.table.heard(offer);
    };
    const button = h("button", { type: "submit" }, TABLE.say);
    return form([h("label", {}, title, words), button, refusal], say, { class: "said row" });
  }
}
