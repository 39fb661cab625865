/** <tabularium-board>: the picture, in which the things that an offer stands for can be picked. */

import { left, parseMark } from "./pick.js";
import { TABLE } from "./strings/table.js";

const SVG = "http://www.w3.org/2000/svg";
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});
const MARGIN = 3; // units of the picture between a thing and its frame

export class Board extends HTMLElement {
  /** @type {SVGGElement[]} */
  #lit = [];
  #frames = document.createElementNS(SVG, "g");
  /** @type {string | null} the mark that had the focus */
  #focused = null;

  connectedCallback() {
    this.addEventListener("click", (event) => this.#press(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#showFocus(thingOf(event.target)));
    this.addEventListener("focusout", () => this.#showFocus(null));
  }

  /**
   * Show a picture and what can be picked in it.
   * @param {SVGSVGElement} picture @param {import("./pick.js").Offer[]} offers @param {string[]} picked
   */
  show(picture, offers, picked) {
    const hadFocus = this.contains(/** @type {any} */ (this.getRootNode()).activeElement);
    if (this.firstElementChild !== picture) this.replaceChildren(picture);
    picture.setAttribute("role", "group");
    this.style.setProperty("--drawn", `${picture.viewBox.baseVal.width}`);
    this.#light(picture, offers, picked);
    if (hadFocus) this.#refocus();
  }

  /** @param {SVGSVGElement} picture @param {import("./pick.js").Offer[]} offers @param {string[]} picked */
  #light(picture, offers, picked) {
    const marks = picked.map(parseMark);
    const fitting = left(offers, marks);
    this.#frames.replaceChildren();
    picture.append(this.#frames);
    this.#lit = [];
    for (const thing of /** @type {NodeListOf<SVGGElement>} */ (picture.querySelectorAll("[data-pick]"))) {
      const mark = thing.dataset["pick"] ?? "";
      const isPicked = picked.includes(mark);
      const led = left(fitting, [parseMark(mark)]);
      const isLit = isPicked || led.length > 0 || left(offers, [parseMark(mark)]).length > 0;
      if (isLit) this.#lightOne(picture, thing, isPicked, led);
      else unlight(thing);
    }
    if (!this.#lit.length) this.#frames.remove();
    this.#rove(this.#lit.find((thing) => thing.dataset["pick"] === this.#focused) ?? this.#lit[0]);
    this.tabIndex = this.#lit.length ? -1 : 0; // a scrollable region needs a stop of its own
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", TABLE.board(this.#lit.length));
  }

  /** @param {SVGSVGElement} picture @param {SVGGElement} thing @param {boolean} isPicked @param {import("./pick.js").Offer[]} led */
  #lightOne(picture, thing, isPicked, led) {
    this.#lit.push(thing);
    thing.classList.toggle("live", isPicked || led.length > 0);
    thing.setAttribute("role", "button");
    thing.setAttribute("aria-pressed", String(isPicked));
    thing.setAttribute("aria-label", nameOf(thing, isPicked, led));
    if (isPicked || led.length) this.#frames.append(frameAround(picture, thing, isPicked ? "picked" : ""));
  }

  /** One stop of the Tab key for the whole table. @param {SVGGElement | undefined} stop */
  #rove(stop) {
    for (const thing of this.#lit) thing.setAttribute("tabindex", thing === stop ? "0" : "-1");
  }

  #refocus() {
    const again = this.#lit.find((thing) => thing.dataset["pick"] === this.#focused) ?? this.#lit[0];
    (again ?? this).focus({ preventScroll: true });
  }

  /** A frame of its own for the keyboard's focus. @param {SVGGElement | null} thing */
  #showFocus(thing) {
    this.querySelector(".frame.focused")?.remove();
    if (!thing) return;
    this.#focused = thing.dataset["pick"] ?? null;
    const picture = /** @type {SVGSVGElement} */ (this.firstElementChild);
    if (thing.matches(":focus-visible")) picture.append(frameAround(picture, thing, "focused"));
  }

  /** @param {EventTarget | null} target */
  #press(target) {
    const thing = thingOf(target);
    if (!thing || !this.#lit.includes(thing)) return;
    this.#focused = thing.dataset["pick"] ?? null;
    this.#rove(thing);
    thing.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent("pick", { detail: this.#focused, bubbles: true }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = thingOf(event.target);
    if (event.key === "Escape") this.dispatchEvent(new CustomEvent("unpick", { bubbles: true }));
    else if (from && (event.key === "Enter" || event.key === " ")) this.#press(from);
    else if (from && ARROWS[event.key]) this.#move(from, /** @type {[number, number]} */ (ARROWS[event.key]));
    else return;
    event.preventDefault();
  }

  /** To the nearest lit thing in a direction. @param {SVGGElement} from @param {[number, number]} direction */
  #move(from, direction) {
    const next = nearest(from.getBoundingClientRect(), this.#lit.filter((thing) => thing !== from), direction);
    if (!next) return;
    this.#rove(next);
    next.focus();
  }
}

/** @param {EventTarget | null} target @returns {SVGGElement | null} */
function thingOf(target) {
  return target instanceof Element ? target.closest("[data-pick]") : null;
}

/** @param {SVGGElement} thing */
function unlight(thing) {
  thing.classList.remove("live");
  for (const name of ["role", "aria-pressed", "aria-label", "tabindex"]) thing.removeAttribute(name);
}

/** The text that can be seen in a thing, what it is, and what it leads to. @param {SVGGElement} thing @param {boolean} isPicked @param {import("./pick.js").Offer[]} led */
function nameOf(thing, isPicked, led) {
  const texts = [...thing.querySelectorAll("text")].map((text) => text.textContent?.trim());
  const seen = [...new Set(texts)].join(" "); // what is drawn twice, such as with a shade, is said once
  const title = thing.querySelector(":scope > title")?.textContent ?? "";
  const only = led.length === 1 && led[0] ? led[0].label : TABLE.actions(led.length);
  const known = title.startsWith(seen) ? title : [seen, title].filter(Boolean).join(", ");
  return `${known}, ${isPicked ? TABLE.picked : only}`;
}

/**
 * A frame around a thing, in the picture's own units: a thing may be scaled, turned or pale.
 * @param {SVGSVGElement} picture @param {SVGGElement} thing @param {string} look
 */
function frameAround(picture, thing, look) {
  const { x, y, width, height } = thing.getBBox();
  const matrix = picture.getScreenCTM()?.inverse().multiply(thing.getScreenCTM() ?? new DOMMatrix());
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]].map(([left, top]) => new DOMPoint(left, top).matrixTransform(matrix));
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const frame = document.createElementNS(SVG, "rect");
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  const sizes = { x: left, y: top, width: Math.max(...xs) + MARGIN - left, height: Math.max(...ys) + MARGIN - top, rx: 2 * MARGIN };
  for (const [name, value] of Object.entries(sizes)) frame.setAttribute(name, String(value));
  frame.setAttribute("class", `frame ${look}`);
  return frame;
}

/**
 * The nearest thing in a direction: straight distance, and twice the distance aside.
 * @param {DOMRect} from @param {SVGGElement[]} things @param {[number, number]} direction
 */
function nearest(from, things, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const box = thing.getBoundingClientRect();
    const x = box.x + box.width / 2 - from.x - from.width / 2;
    const y = box.y + box.height / 2 - from.y - from.height / 2;
    const ahead = x * dx + y * dy;
    const distance = ahead + 2 * Math.abs(x * dy - y * dx);
    if (ahead > 1 && distance < least) [best, least] = [thing, distance];
  }
  return best;
}

customElements.define("tabularium-board", Board);
