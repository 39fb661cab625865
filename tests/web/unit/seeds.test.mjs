// The seeds of a browser: made, kept, opened when they are due, and found again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import { newSeed, openSeeds, ownSeats, seedHash, seedsDue } from "../../../web/assets/seeds.js";

let stored = new Map();
globalThis.localStorage = {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, value) => void stored.set(name, value),
  removeItem: (name) => void stored.delete(name),
};
beforeEach(() => {
  stored = new Map([["tabularium.seeds", "{}"]]);
});

const person = (seat, seed, is_you) => ({ seat, seed, is_you, kind: "account" });
const bot = (seat) => ({ seat, seed: "none", is_you: false, kind: "bot" });
const gathering = (...seats) => ({ id: "game_1", phase: "gathering", seats });
const joined = (seq, seat, seed_hash) => ({ public: { seq, seat, action: { type: "table.join", bot: null, seed_hash } } });

/** An API that has a log, and keeps the calls that change something. */
function fakeApi(...entries) {
  const opened = [];
  const call = async (name, { body }) => (name === "getLog" ? { items: entries } : (opened.push(body), { id: "game_1", phase: "playing", seats: [] }));
  return { opened, call };
}

test("a seed is random, and is kept under its hash", () => {
  const hashes = [newSeed(), newSeed()];
  const seeds = JSON.parse(stored.get("tabularium.seeds"));
  assert.deepEqual(Object.keys(seeds), hashes);
  const [first, second] = Object.values(seeds);
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.notEqual(first, second);
  const expected = createHash("sha256").update("tabularium/seed/1").update(Buffer.from(first, "hex")).digest("hex");
  assert.equal(hashes[0], expected);
  assert.equal(seedHash(first), expected);
});

test("the latest two hundred are kept", () => {
  const hashes = Array.from({ length: 203 }, newSeed);
  assert.deepEqual(Object.keys(JSON.parse(stored.get("tabularium.seeds"))), hashes.slice(3));
});

test("a seed is due when all seats are taken", () => {
  assert.deepEqual(seedsDue(gathering(person(0, "promised", true), bot(1))), [0]);
  for (const kind of ["open", "invite", "challenge", "declined"]) {
    assert.deepEqual(seedsDue(gathering(person(0, "promised", true), { seat: 1, kind, seed: "none", is_you: false })), []);
  }
  assert.deepEqual(seedsDue(gathering(person(0, "open", true), person(1, "promised", false), person(2, "none", true))), []);
  assert.deepEqual(seedsDue({ phase: "playing", seats: [person(0, "promised", true)] }), []);
});

test("due seeds are opened by the seat's last joining, others are missing", async () => {
  const [old, mine, other] = [newSeed(), newSeed(), newSeed()];
  const api = fakeApi(joined(2, 0, old), joined(4, 0, mine), joined(5, 1, "ab".repeat(32)), joined(6, 2, other), { public: { seq: 1, seat: null, action: null } });
  const { game, missing } = await openSeeds(api, gathering(person(0, "promised", true), person(1, "promised", true), person(2, "promised", false)));
  assert.equal(game.phase, "playing");
  assert.deepEqual(missing, [1]);
  assert.deepEqual(api.opened, [{ seat: 0, seed: JSON.parse(stored.get("tabularium.seeds"))[mine] }]);
});

test("nothing is asked for where nothing is due", async () => {
  const api = { call: () => assert.fail("a call") };
  const before = gathering(bot(0));
  assert.deepEqual(await openSeeds(api, before), { game: before, missing: [] });
});

test("own seeds are found in an export", () => {
  const hash = newSeed();
  const seed = JSON.parse(stored.get("tabularium.seeds"))[hash];
  assert.deepEqual(ownSeats([null, seed, "ab".repeat(32)]), [1]);
});

test("a damaged memory is no memory", () => {
  for (const text of ["{", "null", "7"]) {
    stored.set("tabularium.seeds", text);
    assert.deepEqual(ownSeats(["ab".repeat(32)]), []);
    assert.match(newSeed(), /^[0-9a-f]{64}$/);
  }
});
