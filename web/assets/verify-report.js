/** A verdict in words: each check with its state, and what a page cannot check. */

import { h } from "./dom.js";
import { ownSeats } from "./seeds.js";
import { REASONS } from "./strings/reasons.js";
import { VERIFY } from "./strings/verify.js";
import { CHECKS } from "./verify.js";

const BY_LINE = 3; // the first checks are made line by line, the others after the last line
const MARKS = { good: "✓", bad: "✗", later: "…", no: "–", until: "✓", open: "–" };

/** @typedef {"good" | "bad" | "later" | "no" | "until" | "open"} State */

/** The heading of a verdict. @param {any} found @param {string} name of the file or game */
export function headingOf(found, name) {
  if (!found.ok) return VERIFY.refused(name);
  return found.isOver ? VERIFY.good(name) : VERIFY.running(name);
}

/** The verdict. @param {any} found */
export function report(found) {
  return found.ok ? accepted(found) : refused(found);
}

/** @param {any} found */
function accepted(found) {
  const { entries, people, seals, draws, isOver, level } = found;
  return [
    h(
      "ul",
      { class: "list checks" },
      check("form", "good", VERIFY.form),
      check("chain", "good", VERIFY.chain(entries)),
      check("table", "good", VERIFY.table(people)),
      check("secret", isOver ? "good" : "later", isOver ? VERIFY.secret : VERIFY.secretLater),
      check("seals", "good", VERIFY.seals(seals)),
      check("draws", isOver ? "good" : "later", isOver ? `${VERIFY.draws(draws)} ${VERIFY.levels[level]}` : VERIFY.drawsLater),
      signatures(found),
      record(found),
      check("rules", "no", `${VERIFY.rules}${isOver ? ` ${VERIFY.result(found.result)}` : ""}`),
    ),
    own(found),
    facts(found),
  ];
}

/** @param {any} found */
function signatures({ isSigned, receipts, key }) {
  if (isSigned === null) return check("receipts", "no", VERIFY.receiptsNone);
  return isSigned ? check("receipts", "good", VERIFY.receipts(receipts, key)) : check("receipts", "no", VERIFY.receiptsUnchecked);
}

/** @param {any} found */
function record({ recorded }) {
  if (recorded === null) return check("record", "no", VERIFY.recordedNone);
  return check("record", "good", `${VERIFY.recorded(recorded)} ${recorded.isSigned ? VERIFY.recordedSigned : VERIFY.recordedUnsigned}`);
}

/** @param {any} refusal */
function refused({ check: failed, reason, line, seq }) {
  const at = CHECKS.indexOf(failed);
  /** @param {number} index @returns {State} */
  const before = (index) => {
    if (index < BY_LINE && line > 1) return at < BY_LINE ? "until" : "good";
    return index < at ? "good" : "open";
  };
  return [
    h("p", { class: "problem bad" }, VERIFY.place(line, seq), REASONS[reason]),
    h(
      "ul",
      { class: "list checks" },
      CHECKS.map((name, index) => {
        if (name === failed) return check(name, "bad", REASONS[reason]);
        return check(name, before(index));
      }),
    ),
  ];
}

/** @param {keyof typeof VERIFY.checks} name @param {State} state @param {string} [text] */
function check(name, state, text = "") {
  const mark = h("span", { class: `mark ${state}`, "aria-hidden": "true" }, MARKS[state]);
  return h("li", {}, mark, h("div", {}, h("strong", {}, VERIFY.checks[name]), ` – ${VERIFY.states[state]}. ${text}`));
}

/** @param {any} found */
function own({ seeds, level }) {
  const seats = ownSeats(seeds);
  return seats.length > 0 && h("p", { class: level === 2 ? "good own" : "own" }, VERIFY.ownSeed(seats, level));
}

/** @param {any} found */
function facts({ head, key, viewer }) {
  return h(
    "dl",
    { class: "facts" },
    [
      [VERIFY.head, h("code", {}, head), VERIFY.headHelp],
      [VERIFY.key, h("code", {}, key), VERIFY.keyHelp],
      [VERIFY.viewer, VERIFY.viewers(viewer), null],
    ].map(([name, value, help]) => [h("dt", {}, name), h("dd", {}, value, help && h("p", { class: "faint" }, help))]),
  );
}
