// The second verifier is that of the page (web/assets/verify.js), written from docs/fairness.md
// alone: does the document suffice, and do two strangers come to the same verdict?
// `node verifier.mjs game.ndjson [mutations.ndjson]` prints a line of JSON for the game, or one for
// each of its mutations.

import { readFileSync } from "node:fs";
import { Game, linesOf, verify } from "../../web/assets/verify.js";
import { Table } from "../../web/assets/verify-table.js";

// A copy that reads on without changing the original.
function copyOf(value) {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map || value instanceof Set) return new value.constructor(value);
  const copy = Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  if (value instanceof Table) copy.seats = value.seats.map((who) => who && { ...who });
  for (const name of ["table", "entries", "hashes", "fields", "salts", "seeds", "resigned"]) {
    if (copy[name]) copy[name] = copyOf(copy[name]);
  }
  return copy;
}

const pause = () => null; // nothing else waits here
const [base, mutations] = process.argv.slice(2);
const lines = [...linesOf(readFileSync(base))];
const told = [];
if (mutations === undefined) told.push(await verify(lines, { pause }));
else {
  const games = [new Game()]; // after each line of the original, from which its mutations read on
  for (const line of lines) {
    games.push(copyOf(games.at(-1)));
    games.at(-1).read(line);
  }
  for (const text of readFileSync(mutations, "utf-8").split("\n").filter(Boolean)) {
    const { first, old, lines: others } = JSON.parse(text);
    const changed = others.map((line) => Buffer.from(line, "base64"));
    told.push(await verify([...changed, ...lines.slice(first + old)], { game: copyOf(games[first]), pause }));
  }
}
// of what was found in a good game, the verifiers share the level
const shown = told.map(({ ok, level, ...refusal }) => (ok ? { ok, level } : { ok, ...refusal }));
process.stdout.write(shown.map((one) => `${JSON.stringify(one)}\n`).join(""));
