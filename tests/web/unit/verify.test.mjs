// The verifier of the page beside the suite of forgeries (tests/docs/test_second_verifier.py, test_people.py): its words,
// its slices, and the places that it names.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { REASONS } from "../../../web/assets/strings/reasons.js";
import { VERIFY } from "../../../web/assets/strings/verify.js";
import { utf8 } from "../../../web/assets/digest.js";
import { leafOf, verifierKey } from "../../../web/assets/verify-record.js";
import { CHECKS, Game, linesOf, verify } from "../../../web/assets/verify.js";

const web = new URL("../../../web/assets/", import.meta.url);
const { export: texts, record: recordVectors, recorded } = JSON.parse(readFileSync(new URL("../../../docs/fairness-vectors.json", import.meta.url), "utf8"));
const lines = texts.map((text) => utf8(`${text}\n`));
const changed = (line, from, to) => lines.map((one, at) => (at === line - 1 ? utf8(`${texts[at].replace(from, to)}\n`) : one));
const place = ({ ok, reason, check, line, seq }) => ({ ok, reason, check, line, seq });

test("the game of the vectors is good", async () => {
  const found = await verify(lines);
  assert.ok(found.ok && found.isOver && found.isSigned);
  assert.equal(found.entries, lines.length - 3);
  assert.equal(found.hashes.length, found.entries);
  assert.equal(found.hashes.at(-1), found.head);
});

const refusals = [
  ["another link", 4, /"prev":"../, '"prev":"00', { reason: "the chain is broken", check: "chain", line: 4, seq: 3 }],
  ["whitespace", 3, "{", "{ ", { reason: "not canonical", check: "form", line: 3, seq: null }],
  ["a seat beyond", 3, '"seat":0', '"seat":9', { reason: "unknown seat", check: "table", line: 3, seq: 2 }],
  ["a signature", lines.length, /"signature":"../, '"signature":"00', { reason: "invalid signature", check: "receipts", line: lines.length, seq: lines.length - 3 }],
];
for (const [name, line, from, to, expected] of refusals) {
  test(`${name} is refused in its place`, async () => {
    assert.notEqual(texts[line - 1].replace(from, to), texts[line - 1]);
    assert.deepEqual(place(await verify(changed(line, from, to))), { ok: false, ...expected });
  });
}

test("an empty and a shortened file are refused", async () => {
  assert.deepEqual(place(await verify([])), { ok: false, reason: "truncated file", check: "form", line: 1, seq: null });
  const half = await verify(lines.slice(0, 4));
  assert.equal(half.reason, "truncated file");
  assert.equal((await verify(lines.slice(0, -1))).reason, "truncated file");
});

test("a line nested beyond the stack is refused", async () => {
  assert.equal((await verify([utf8(`${"[".repeat(1e6)}${"]".repeat(1e6)}\n`)])).ok, false);
});

test("without receipts it is refused, unless that was accepted", async () => {
  const unsigned = changed(lines.length, /"receipts":\[.*\]/, '"receipts":[]');
  assert.deepEqual(place(await verify(unsigned)), { ok: false, reason: "no receipts", check: "receipts", line: lines.length, seq: null });
  assert.equal((await verify(unsigned, { isUnsigned: true })).isSigned, null);
});

test("without crypto.subtle all but the signatures is checked", async () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    assert.equal((await verify(lines)).isSigned, false);
    assert.equal((await verify(changed(4, /"prev":"../, '"prev":"00'))).ok, false);
    assert.equal((await verify(changed(lines.length, /"receipts":\[\{"game":"game_0/, '"receipts":[{"game":"game_1'))).reason, "wrong game or key");
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

test("others have a turn between two lines and two entries", async () => {
  let turns = 0;
  await verify(lines, { pause: () => Promise.resolve(void (turns += 1)) });
  assert.equal(turns, lines.length + lines.length - 3);
});

test("lines keep their feed, and the last may lack it", () => {
  const split = [...linesOf(utf8("a\n\nb"))].map((line) => new TextDecoder().decode(line));
  assert.deepEqual(split, ["a\n", "\n", "b"]);
});

test("every reason has a sentence, and every sentence a reason", () => {
  const source = ["verify.js", "verify-shapes.js", "verify-table.js", "verify-record.js", "fairness.js"].map((file) => readFileSync(new URL(file, web), "utf8"));
  const needs = source.join("\n").replaceAll(', "secret")', ")");
  const reasons = [...needs.matchAll(/(?:need\(.*|new Wrong\(|reason: |const reason = )"([^"\n]+)"[,);]/g)].map(([, reason]) => reason);
  assert.deepEqual([...new Set(reasons)].sort(), Object.keys(REASONS).sort());
  for (const check of CHECKS) assert.ok(VERIFY.checks[check]);
});

// -- the record -----------------------------------------------------------------------------------

const vkey = recordVectors["verifier key"];
const [first] = recorded.good;
const linesOfVector = (vector) => vector.lines.map((line) => utf8(`${typeof line === "number" ? first.lines[line] : line}\n`));

test("the leaves of the vectors are made from the export", async () => {
  const game = new Game();
  await verify(lines, { game });
  assert.equal(leafOf(game, "game/1"), recordVectors.leaf);
  assert.equal(leafOf(game, "blind/1"), recordVectors["blinded leaf"]);
});

test("good proofs are accepted, and their signature is checked by a key alone", async () => {
  for (const vector of recorded.good) {
    const { ok, recorded: found } = await verify(linesOfVector(vector));
    assert.deepEqual([ok, found.index, found.size, found.isSigned], [true, `${vector.index}`, "7", false]);
    assert.equal((await verify(linesOfVector(vector), { record: vkey })).recorded.isSigned, true);
  }
  assert.equal((await verify(lines)).recorded, null);
});

for (const [number, vector] of recorded.refused.entries()) {
  test(`wrong proof ${number}: ${vector.reason}`, async () => {
    const { ok, reason } = await verify(linesOfVector(vector), { record: vector["verifier key"] ?? "" });
    assert.deepEqual([ok, reason], [false, vector.reason]);
  });
}

test("a wrong proof is refused in its line, and a wrong receipt in the line before", async () => {
  const proven = linesOfVector(first);
  const text = new TextDecoder().decode(proven.at(-1));
  const wrong = [...proven.slice(0, -1), utf8(text.replace("index 2", "index 3"))];
  assert.deepEqual(place(await verify(wrong)), { ok: false, reason: "another root", check: "record", line: proven.length, seq: null });
  const trailer = new TextDecoder().decode(proven.at(-2)).replace(/"signature":"../, '"signature":"00');
  const { reason, line } = await verify([...proven.slice(0, -2), utf8(trailer), proven.at(-1)]);
  assert.deepEqual([reason, line], ["invalid signature", proven.length - 1]);
});

test("without crypto.subtle a proof is checked, and not its signature", async () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    const found = await verify(linesOfVector(first), { record: vkey });
    assert.deepEqual([found.ok, found.recorded.isSigned], [true, false]);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

test("texts that are no verifier keys", async () => {
  assert.equal(verifierKey(vkey).name, "games.example/record");
  for (const text of ["", "x", "a+b+c", vkey.slice(0, -4), vkey.replace("games", "game"), ` ${vkey}`, `${vkey}=`]) {
    assert.equal(verifierKey(text), null, text);
  }
  await assert.rejects(verify(linesOfVector(first), { record: "x" }), TypeError);
});

test("a proof beside the export of a game that is over is asked for once, and checked", async () => {
  for (const vector of recorded.good) {
    const { proof } = JSON.parse(new TextDecoder().decode(linesOfVector(vector).at(-1))).record;
    let asked = 0;
    const beside = async () => (asked += 1) && proof;
    const found = await verify(lines, { proof: beside, record: vkey });
    assert.deepEqual([found.recorded.index, found.recorded.isSigned, asked], [`${vector.index}`, true, 1]);
    const refused = await verify(lines, { proof: async () => proof.replace(/index ./, "index 0") });
    assert.deepEqual([refused.ok, refused.check], [false, "record"]);
    await verify(linesOfVector(vector), { proof: beside });
    assert.equal(asked, 1); // the export has one
  }
  assert.equal((await verify(lines, { proof: async () => null })).recorded, null);
  assert.equal((await verify(lines, { proof: async () => null, record: vkey })).reason, "no proof");
});
