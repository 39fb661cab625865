/** The way through a game: any entry, as any viewer, at a speed. */

import { button, fill, h } from "./dom.js";
import { TABLE } from "./strings/table.js";

export class Replay {
  /** @type {number | null} the entry that is shown, or null for now */
  seq = null;
  first = 0;
  last = 0;
  #timer = 0;

  /**
   * @param {{go: (seq: number | null, isJump: boolean) => void, view: (viewer: string) => void,
   *   turns: () => number[], share: () => Promise<void>, veil: (isVeiled: boolean) => void}} table
   */
  constructor(table) {
    this.table = table;
    this.range = h("input", { type: "range", "aria-label": TABLE.entry });
    this.range.addEventListener("input", () => this.#go(Number(this.range.value), false));
    this.range.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.where = h("output", { class: "where" });
    this.viewer = h("select", {});
    this.viewer.addEventListener("change", () => table.view(this.viewer.value));
    this.speed = h("select", {}, Object.entries(TABLE.speeds).map(([value, name]) => h("option", { value, selected: value === "700" }, name)));
    this.veil = h("input", { type: "checkbox" });
    this.veil.addEventListener("change", () => table.veil(this.veil.checked));
    this.run = button(TABLE.play, () => this.#run());
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act) => button(sign, act, { "aria-label": label, title: label });
    this.element = h(
      "section",
      { class: "replay", "aria-label": TABLE.replay },
      h("div", { class: "row steps" },
        step("«", TABLE.first, () => this.#go(this.first, true)), step("‹", TABLE.back, () => this.#go(this.#at() - 1, false)),
        this.run, step("›", TABLE.forward, () => this.#go(this.#at() + 1, false)), button(TABLE.now, () => this.#go(null, true)), this.where),
      this.range,
      h("div", { class: "row" }, h("label", {}, `${TABLE.viewer} `, this.viewer), h("label", {}, `${TABLE.speed} `, this.speed), h("label", {}, this.veil, TABLE.veil), button(TABLE.share, table.share)),
    );
  }

  /** @param {{first: number | null, last: number, seq: number | null, viewers: [string, string][], viewer: string, isVeiled: boolean}} news */
  show({ first, last, seq, viewers, viewer, isVeiled }) {
    Object.assign(this, { first: first ?? 0, last, seq });
    this.element.hidden = first === null;
    this.range.min = String(this.first);
    this.range.max = String(last);
    this.range.value = String(this.#at());
    this.range.setAttribute("aria-valuetext", TABLE.entryOf(this.#at(), last));
    this.veil.checked = isVeiled;
    this.where.textContent = seq === null ? `${TABLE.now} (${last})` : TABLE.entryOf(seq, isVeiled ? "?" : last);
    const names = viewers.map(([value, name]) => h("option", { value, selected: value === viewer }, name));
    if (this.viewer.children.length !== names.length || this.viewer.value !== viewer) fill(this.viewer, names);
    this.viewer.closest("label").hidden = viewers.length < 2;
  }

  #at() {
    return this.seq ?? this.last;
  }

  /** @param {number | null} seq @param {boolean} isJump */
  #go(seq, isJump) {
    const at = seq === null ? null : Math.min(Math.max(seq, this.first), this.last);
    this.table.go(at, isJump);
  }

  #run() {
    if (this.#timer) return this.stop();
    if (this.#at() >= this.last) this.#go(this.first, true);
    this.run.textContent = TABLE.stop;
    this.#tick();
  }

  #tick() {
    this.#timer = setTimeout(() => {
      if (this.#at() >= this.last) return this.stop();
      this.#go(this.#at() + 1, false);
      this.#tick();
    }, Number(this.speed.value));
  }

  /** Run no further. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.run.textContent = TABLE.play;
  }

  /** Left and right go by entry as the range does; with Shift by turn. @param {KeyboardEvent} event */
  #key(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !event.shiftKey) return;
    event.preventDefault();
    const turns = way < 0 ? this.table.turns().reverse() : this.table.turns();
    this.#go(turns.find((turn) => (turn - this.#at()) * way > 0) ?? (way < 0 ? this.first : this.last), false);
  }
}
