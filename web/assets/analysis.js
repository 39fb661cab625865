/** What the search thinks: of a finished game, of a bot's decision, and of one's own next action. */

import { ensureAccount } from "./account.js";
import { pause } from "./api.js";
import { button, fill, h, hued } from "./dom.js";
import { graph } from "./graph.js";
import { nameOf } from "./seats.js";
import { ANALYSIS, HINT, POSITION, THOUGHT } from "./strings/analysis.js";
import { TABLE } from "./strings/table.js";

const WAIT = 20; // seconds that a reply may be held back
const PAUSE = 300; // milliseconds, should the reply not be held back
const COSTLIEST = 5;
const HINTS = 3;
const MOST = 10; // actions in a table

/** @typedef {import("./api.js").Api} Api */
/** @typedef {keyof typeof ANALYSIS.ended} Failed */

/**
 * A game that is over: on a press the worth of its decisions as a graph, and the costliest of them.
 * @param {{api: Api, game: string, seats: any[], over: boolean, go: (seq: number) => void}} of
 * @returns {HTMLElement}
 */
export function analysisPanel({ api, game, seats, over, go }) {
  const result = h("div", {});
  const ask = button(ANALYSIS.ask, async () => {
    await account(api);
    const analysis = await analyse(api, game, { about: "game" }, result, (done) => review(done.review, seats, go));
    if (!analysis) return;
    ask.textContent = ANALYSIS.again;
    ask.hidden = analysis.state === "done" && !analysis.review.is_partial;
  });
  const help = h("p", { class: "faint" }, ANALYSIS.help);
  return h("section", { class: "analysis", "aria-label": ANALYSIS.title, hidden: !over }, h("h2", {}, ANALYSIS.title), ask, help, result);
}

/** @param {any} findings @param {any[]} seats @param {(seq: number) => void} go */
function review({ decisions, is_partial, seats: reviewed }, seats, go) {
  const name = (/** @type {number} */ seat) => `${seats[seat].title}, ${seats[seat].is_you ? TABLE.you : nameOf(seats[seat])}`;
  const valued = decisions.filter((/** @type {any} */ { best_value }) => best_value !== null);
  return [
    is_partial && h("p", { class: "problem" }, ANALYSIS.partial),
    valued.length > 0 && h("figure", {}, h("figcaption", {}, ANALYSIS.graph), graph(valued, name, go), legend(reviewed, name)),
    h("p", { class: "faint" }, ANALYSIS.uncalibrated),
    h("h3", {}, ANALYSIS.costly),
    losses(decisions, name, go),
  ];
}

/** @param {any[]} reviewed @param {(seat: number) => string} name */
function legend(reviewed, name) {
  return h("ul", { class: "legend" }, reviewed.map((seat) => hued(seat.seat, h("li", {}, ANALYSIS.mean(name(seat.seat), seat)))));
}

/** @param {any[]} decisions @param {(seat: number) => string} name @param {(seq: number) => void} go */
function losses(decisions, name, go) {
  const compared = decisions.filter(({ loss }) => loss !== null);
  const worst = compared.filter(({ loss }) => loss > 0).sort((one, other) => other.loss - one.loss).slice(0, COSTLIEST);
  if (!worst.length) return h("p", {}, compared.length ? ANALYSIS.noLoss : ANALYSIS.none);
  return h("ol", { class: "list" }, worst.map((each) => h("li", {}, button(ANALYSIS.decision(name(each.seat), each), () => go(each.seq)))));
}

/**
 * What a bot weighed before an entry of a game that is over.
 * @param {{api: Api, game: string, seq: number}} of
 * @returns {HTMLElement}
 */
export function thoughtBox({ api, game, seq }) {
  const result = h("div", {});
  const ask = button(THOUGHT.ask, async () => {
    await account(api);
    const thought = await ended(api, "getThought", { game, seq }, result);
    if (!thought) return;
    ask.hidden = thought.state === "done";
    fill(result, thought.state === "done" ? weighed(thought) : h("p", { class: "problem" }, THOUGHT.failed));
  });
  return h("section", { class: "thought", "aria-label": THOUGHT.title }, ask, result);
}

/** @param {any} thought */
function weighed({ bot, simulations, findings }) {
  const { actions, chosen, method, is_same, is_calibrated } = findings;
  const isChosen = (/** @type {any} */ { label }) => label === chosen.label;
  return [
    actions.length ? bars(actions, THOUGHT.caption({ bot, simulations }, method), isChosen) : h("p", {}, THOUGHT.nothing),
    !is_same && h("p", { class: "problem" }, THOUGHT.altered),
    !is_calibrated && actions.length > 0 && h("p", { class: "faint" }, ANALYSIS.uncalibrated),
  ];
}

/** The best actions with their values, and the one that was chosen. @param {any[]} actions @param {string} title @param {(action: any) => boolean} isChosen */
function bars(actions, title, isChosen) {
  const shown = actions.filter((each, at) => at < MOST || isChosen(each));
  const rows = shown.map((each) => {
    const { label, value, visits } = each;
    const bar = value !== null && h("meter", { max: 1000, value, "aria-hidden": "true" });
    return h("tr", {}, h("th", { scope: "row" }, label, isChosen(each) && h("strong", {}, ` ✓ ${THOUGHT.chosen}`)), h("td", {}, bar, THOUGHT.worth(value)), h("td", {}, THOUGHT.worth(visits)));
  });
  const head = h("tr", {}, THOUGHT.columns.map((name) => h("th", { scope: "col" }, name)));
  const table = h("table", {}, h("caption", {}, title), h("thead", {}, head), h("tbody", {}, rows));
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, table);
}

/**
 * The actions that a seat could choose from before an entry of a game that is over, as the search values them.
 * @param {{api: Api, game: string, seats: any[], entry: any}} of
 * @returns {HTMLElement}
 */
export function positionBox({ api, game, seats, entry: { seq, seat, action } }) {
  const result = h("div", {});
  const played = JSON.stringify(action);
  const ask = button(POSITION.ask, async () => {
    await account(api);
    const isPlayed = (/** @type {any} */ each) => JSON.stringify(each.action) === played;
    const show = (/** @type {any} */ { position }) => [bars(position.actions, POSITION.title(seats[seat].title), isPlayed), h("p", { class: "faint" }, ANALYSIS.uncalibrated)];
    const analysis = await analyse(api, game, { seat, seq: seq - 1 }, result, show);
    ask.hidden = analysis?.state === "done";
  });
  return h("section", { class: "thought", "aria-label": POSITION.ask }, ask, result);
}

/** Whether a seat may ask for a hint. @param {any} game a GameView @param {number} seat */
export function mayHint({ phase, rated, hints, paused_since, seats, your_seats }, seat) {
  const others = seats.filter((/** @type {any} */ other) => other.seat !== seat && !other.bot && !other.has_resigned);
  return phase === "playing" && !rated && !paused_since && your_seats.includes(seat) && (hints || others.length === 0);
}

/**
 * A hint for one's own seat in a running game: the best offers, each of which can be taken.
 * @param {{api: Api, game: string, seat: number, onOffer: (action: any) => void}} of
 * @returns {HTMLElement}
 */
export function hintButton({ api, game, seat, onOffer }) {
  const result = h("div", {});
  const ask = button(HINT.ask, () => analyse(api, game, { seat }, result, ({ position }) => best(position, onOffer)));
  return h("section", { class: "hint", "aria-label": HINT.ask }, ask, h("span", { class: "faint" }, ` ${HINT.help}`), result);
}

/** @param {any} position @param {(action: any) => void} onOffer */
function best({ actions }, onOffer) {
  const offers = actions.slice(0, HINTS).map((/** @type {any} */ each) => h("li", {}, button(HINT.offer(each), () => onOffer(each.action))));
  return [h("p", {}, HINT.title), h("ol", { class: "list" }, offers), h("p", { class: "faint" }, ANALYSIS.uncalibrated)];
}

/**
 * Ask for an analysis, and show its result or the reason why there is none; null if its place has left the page.
 * @param {Api} api @param {string} game @param {any} body @param {Element} place @param {(analysis: any) => any} show
 */
async function analyse(api, game, body, place, show) {
  const asked = await api.call("analyse", { path: { game }, body });
  const analysis = await ended(api, "getAnalysis", { analysis: asked.id }, place, asked);
  if (!analysis) return null;
  const failure = () => h("p", { class: "problem" }, ANALYSIS.ended[/** @type {Failed} */ (analysis.state)]);
  fill(place, analysis.state === "done" ? show(analysis) : failure());
  return analysis;
}

/**
 * The document when it waits no more; null if its place has left the page.
 * @param {Api} api @param {string} name of the operation @param {Record<string, any>} path
 * @param {Element} place of the progress @param {any} [first] the document as it is known
 */
async function ended(api, name, path, place, first) {
  const bar = h("progress", { max: 1, "aria-label": ANALYSIS.waiting });
  const words = h("span", { role: "status" }, ANALYSIS.waiting);
  fill(place, h("p", { class: "row" }, bar, words));
  for (let document = first; ; document = await api.call(name, { path, wait: WAIT })) {
    if (document && document.state !== "waiting") return document;
    if (!place.isConnected) return null;
    if (document?.progress?.of) show(document.progress);
    if (document) await pause(PAUSE);
  }
  /** @param {{done: number, of: number}} progress */
  function show({ done, of }) {
    [bar.max, bar.value] = [of, done];
    words.textContent = ANALYSIS.progress(done, of);
  }
}

/** Analyses need an account. @param {Api} api */
async function account(api) {
  if (!api.key()) await ensureAccount();
}
