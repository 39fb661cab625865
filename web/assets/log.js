/** The log in words: the news of each entry, and a way to the position after it. For the Tab key all is one stop. */

import { fill, h, hued, walk } from "./dom.js";
import { TABLE } from "./strings/table.js";

export class Log {
  /** @param {(seq: number) => void} go */
  constructor(go) {
    this.go = go;
    this.list = h("ol", { class: "log", "aria-label": TABLE.log });
    this.list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => walk(this.list, event));
    this.list.addEventListener("focusin", (/** @type {FocusEvent} */ event) => this.#rove(event.target));
    this.since = h("ul", { class: "since" });
    this.sinceBox = h("section", { class: "since-box", hidden: true, "aria-label": TABLE.sinceYou }, h("h2", {}, TABLE.sinceYou), this.since);
    this.element = h("section", { "aria-label": TABLE.log }, h("h2", {}, TABLE.log), this.list);
  }

  /** Add entries that follow. @param {any[]} entries */
  add(entries) {
    const wasAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.append(...entries.filter((entry) => entry.news.length).map((entry) => this.#line(entry)));
    if (wasAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Begin anew, for another viewer. */
  clear() {
    fill(this.list);
  }

  /** Show what happened last before the position that is seen. @param {number | null} seq @param {boolean} isVeiled without all that follows */
  mark(seq, isVeiled) {
    let last = null;
    for (const line of this.list.children) {
      const isLater = Number(line.dataset.seq) > (seq ?? -1);
      line.hidden = isVeiled && isLater;
      line.ariaCurrent = null;
      if (!isLater) last = line;
    }
    const { activeElement } = /** @type {ShadowRoot} */ (this.list.getRootNode());
    if (!this.list.contains(activeElement)) this.#rove((last ?? this.list.lastElementChild)?.querySelector("button"));
    if (!last) return;
    last.ariaCurrent = "step";
    this.list.scrollTop += last.getBoundingClientRect().bottom - this.list.getBoundingClientRect().bottom;
  }

  /** Let Tab lead to one line. @param {any} stop its button */
  #rove(stop) {
    for (const button of this.list.querySelectorAll("button")) button.tabIndex = button === stop ? 0 : -1;
  }

  /** The news since an own seat last acted. @param {any[]} entries @param {number[]} seats */
  showSince(entries, seats) {
    const last = entries.findLastIndex(
      (entry) => seats.includes(entry.seat) && !String(entry.action.type).startsWith("table."),
    );
    const news = last < 0 ? [] : entries.slice(last + 1).flatMap((entry) => entry.news);
    this.sinceBox.hidden = !news.length;
    fill(this.since, news.slice(-12).map((item) => h("li", {}, item.text)));
  }

  /** @param {any} entry */
  #line(entry) {
    const line = entry.seat === null ? h("li") : hued(entry.seat, h("li"));
    const go = h("button", { type: "button", class: "plain", tabindex: "-1", title: `${TABLE.entry} ${entry.seq}` });
    go.append(...entry.news.map((/** @type {any} */ item) => h("span", {}, `${item.text}. `)));
    go.addEventListener("click", () => this.go(entry.seq));
    line.dataset.seq = String(entry.seq);
    line.append(go);
    return line;
  }
}
