// A verdict for a page that has seen the game: of that game, and with the entries that it was shown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { utf8 } from "../../../web/assets/digest.js";
import { checkExport, fetchExport, reasonOf } from "../../../web/assets/fairness.js";
import { BADGE } from "../../../web/assets/strings/fairness.js";

const { export: texts, recorded } = JSON.parse(readFileSync(new URL("../../../docs/fairness-vectors.json", import.meta.url), "utf8"));
const file = utf8(texts.map((text) => `${text}\n`).join(""));
const { game } = JSON.parse(texts[0]);

test("a good export of the game is good", async () => {
  const { hashes, head, entries } = await checkExport(file, { game });
  const known = hashes.map((hash, at) => ({ seq: at + 1, hash }));
  const found = await checkExport(file, { game, known });
  assert.ok(found.ok);
  assert.equal(found.head, head);
  assert.match(BADGE.good(found), new RegExp(`^Checked here: ${entries} entries, secret opened, 0 draws$`));
});

test("a good export of another game is refused", async () => {
  const refusal = await checkExport(file, { game: `game_${"0".repeat(32)}` });
  assert.equal(refusal.reason, "another game");
  assert.match(await reasonOf(refusal), /^Line 1: This is the export of another game/);
});

test("an export without an entry that the page was shown is refused", async () => {
  const { hashes } = await checkExport(file);
  for (const known of [{ seq: 2, hash: hashes[2] }, { seq: hashes.length + 1, hash: hashes[0] }]) {
    const { ok, reason, seq } = await checkExport(file, { game, known: [{ seq: 1, hash: hashes[0] }, known] });
    assert.deepEqual({ ok, reason, seq }, { ok: false, reason: "another log", seq: known.seq });
  }
});

test("the export is the only thing that is asked for", async () => {
  const asked = [];
  const api = { call: async (...call) => (asked.push(call), texts.join("\n")) };
  await fetchExport(api, game);
  assert.deepEqual(asked, [["exportGame", { path: { game }, accept: "application/x-ndjson" }]]);
});

test("the proof of a finished game is asked for beside the export, and named", async () => {
  const [{ lines }] = recorded.good;
  const { proof } = JSON.parse(lines.at(-1)).record;
  const asked = [];
  const api = { call: async (...call) => (asked.push(call), proof) };
  const found = await checkExport(file, { game, api });
  assert.deepEqual(asked, [["recordProof", { path: { game }, accept: "text/plain" }]]);
  assert.equal(BADGE.recorded(found.recorded), "In the record as leaf 2, checkpoint of size 7.");
  const wrong = { call: async () => proof.replace("index 2", "index 3") };
  assert.match(await reasonOf(await checkExport(file, { game, api: wrong })), /does not lead from the leaf of this game/);
  const none = { call: async () => Promise.reject(new Error("not recorded yet")) };
  assert.equal((await checkExport(file, { game, api: none })).recorded, null);
});
