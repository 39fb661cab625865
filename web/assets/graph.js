/** The values of decisions as lines, one for each seat. Every point is a button; one of them is a tab stop, and the
 *  arrows lead to the others. A press anywhere takes the nearest. */

import { hued } from "./dom.js";
import { ANALYSIS } from "./strings/analysis.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [1000, 200, 20]; // of the drawing, which fills its place
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** @param {string} name @param {Record<string, any>} attributes @param {...Element} children @returns {any} */
function s(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {any[]} decisions with values, in order
 * @param {(seat: number) => string} name @param {(seq: number) => void} go
 * @returns {SVGSVGElement}
 */
export function graph(decisions, name, go) {
  const places = placed(decisions);
  const points = places.map((place, at) => point(place, decisions[at], name(decisions[at].seat)));
  const lines = [0, 500, 1000].map((value) => s("path", { class: "rule", d: `M0 ${high(value)}H${WIDTH}` }));
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "group", "aria-label": ANALYSIS.graph };
  const drawing = s("svg", box, ...lines, ...curves(decisions, places), ...points);
  listen(drawing, points, places, (at) => go(decisions[at].seq));
  return drawing;
}

/** @param {number} value in thousandths */
const high = (value) => HEIGHT - EDGE - (value / 1000) * (HEIGHT - 2 * EDGE);

/** @param {any[]} decisions @returns {[number, number][]} */
function placed(decisions) {
  const step = (WIDTH - 2 * EDGE) / Math.max(1, decisions.length - 1);
  return decisions.map(({ best_value }, at) => [Math.round(EDGE + at * step), Math.round(high(best_value))]);
}

/** @param {any[]} decisions @param {[number, number][]} places */
function curves(decisions, places) {
  const seats = [...new Set(decisions.map(({ seat }) => seat))];
  return seats.flatMap((seat) => {
    const own = places.filter((_, at) => decisions[at].seat === seat);
    const d = `M${own.map(([x, y]) => `${x} ${y}`).join("L")}`;
    return [s("path", { class: "edge", d }), hued(seat, s("path", { class: "curve", d }))];
  });
}

/** @param {[number, number]} place @param {any} decision @param {string} name */
function point([x, y], decision, name) {
  const dot = (/** @type {string} */ kind) => s("path", { class: kind, d: `M${x} ${y}h0` });
  const label = ANALYSIS.point(name, decision);
  const title = s("title", {});
  title.textContent = label;
  return hued(decision.seat, s("g", { role: "button", tabindex: -1, "aria-label": label }, title, dot("ring"), dot("dot")));
}

/** @param {SVGSVGElement} drawing @param {SVGGElement[]} points @param {[number, number][]} places @param {(at: number) => void} choose */
function listen(drawing, points, places, choose) {
  let stop = points.length - 1;
  points[stop]?.setAttribute("tabindex", "0");
  const move = (/** @type {number} */ to) => {
    points[stop]?.setAttribute("tabindex", "-1");
    stop = Math.max(0, Math.min(points.length - 1, to));
    points[stop]?.setAttribute("tabindex", "0");
    points[stop]?.focus();
  };
  drawing.addEventListener("keydown", (event) => {
    const by = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (by !== undefined) move(stop + by);
    else if (event.key === "Enter" || event.key === " ") choose(stop);
    else return;
    event.preventDefault();
  });
  drawing.addEventListener("click", (event) => {
    move(nearest(drawing, places, event));
    choose(stop);
  });
}

/** @param {SVGSVGElement} drawing @param {[number, number][]} places @param {MouseEvent} event */
function nearest(drawing, places, { clientX, clientY }) {
  const box = drawing.getBoundingClientRect();
  const far = places.map(([x, y]) => Math.hypot(box.left + (x / WIDTH) * box.width - clientX, box.top + (y / HEIGHT) * box.height - clientY));
  return far.indexOf(Math.min(...far));
}
