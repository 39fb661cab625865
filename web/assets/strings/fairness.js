/** The words of a table's fairness. */

/** @param {number} number @param {string} one @param {string} [more] */
export const count = (number, one, more = `${one}s`) => `${number.toLocaleString("en-GB")} ${number === 1 ? one : more}`;

export const BADGE = {
  title: "Fairness",
  check: "Check fairness here",
  again: "Check again",
  working: "Checking in this browser …",
  /** @param {any} found */
  good: ({ isOver, entries, draws }) =>
    isOver
      ? `Checked here: ${count(entries, "entry", "entries")}, secret opened, ${count(draws, "draw")}`
      : `Checked here so far: ${count(entries, "entry", "entries")}; the secret opens at the end`,
  unsigned: "Signatures were not checked: open this page by https.",
  refused: (/** @type {string} */ reason) => `REFUSED: ${reason}`,
  failed: "Not checked: the export could not be fetched.",
  details: "All checks",
  recorded: (/** @type {{index: string, size: string}} */ { index, size }) => `In the record as leaf ${index}, checkpoint of size ${size}.`,
  ownSeed: "Your own seed is in it.",
};
