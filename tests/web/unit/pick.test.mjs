// How an offer is chosen by narrowing: `node --test tests/web/unit`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { facetMark, facets, fits, kindOf, left, parseMark, partsWith, press, stillPicked } from "../../../web/assets/pick.js";

const offer = (type, members, label) => ({ action: { type: `game.${type}`, ...members }, label });
const OFFERS = [
  offer("play", { card: "7S" }, "Play 7♠"),
  offer("enact", { card: "7S", slot: 1 }, "Make 7♠ law 1"),
  offer("enact", { card: "7S", slot: 2 }, "Make 7♠ law 2"),
  offer("enact", { card: "AH", slot: 1 }, "Make A♥ law 1"),
  offer("swap", { slot: 1, other: 2 }, "Swap 1 and 2"),
  offer("turn", { turned: true, at: null }, "Ärger"),
];

test("a mark is ways of fields that must all hold", () => {
  assert.deepEqual(parseMark("row=1,column=-2 type=draw"), [{ row: "1", column: "-2" }, { type: "draw" }]);
  assert.deepEqual(parseMark("text=a=b"), [{ text: "a=b" }]);
  assert.deepEqual(parseMark(""), []);
});

test("a mark fits by one way, with values as JSON writes them, bare", () => {
  assert.ok(fits(parseMark("card=7S"), OFFERS[0].action));
  assert.ok(fits(parseMark("slot=9 other=2"), OFFERS[4].action));
  assert.ok(fits(parseMark("turned=true,at=null"), OFFERS[5].action));
  assert.ok(!fits(parseMark("card=7S,slot=3"), OFFERS[1].action));
  assert.ok(!fits(parseMark("slot=1"), OFFERS[0].action));
  assert.ok(!fits(parseMark(""), OFFERS[0].action));
});

test("a kind is the type without its ruleset", () => {
  assert.equal(kindOf({ type: "game.play" }), "play");
  assert.ok(fits(parseMark("type=play"), OFFERS[0].action));
});

test("what is left fits all marks and has all words", () => {
  assert.equal(left(OFFERS, []).length, 6);
  assert.deepEqual(left(OFFERS, [parseMark("card=7S"), parseMark("slot=2 other=2")]), [OFFERS[2]]);
  assert.deepEqual(left(OFFERS, [], "law hearts"), [OFFERS[3]]);
  assert.deepEqual(left(OFFERS, [], "  ARGER "), [OFFERS[5]]);
  assert.deepEqual(left(OFFERS, [], "nothing"), []);
});

test("a search of a page leaves the parts that have all words", () => {
  const page = "Red wins\nRed: 3 cards: the ranks\n    rise; 2♠ begins\nBlue: 4 cards: the suits rise\n";
  assert.equal(partsWith(page, ""), page);
  assert.equal(partsWith(page, "RISE blue"), "Blue: 4 cards: the suits rise");
  assert.equal(partsWith(page, "ranks spades"), "Red: 3 cards: the ranks\n    rise; 2♠ begins");
  assert.equal(partsWith(page, "rise"), page.slice(page.indexOf("Red:"), -1));
  assert.equal(partsWith(page, "falls"), "");
});

test("a press adds, lets go, or begins anew", () => {
  const one = press(OFFERS, [], "card=7S");
  assert.deepEqual(one, ["card=7S"]);
  assert.deepEqual(press(OFFERS, one, "slot=1 other=1"), ["card=7S", "slot=1 other=1"]);
  assert.deepEqual(press(OFFERS, one, "card=7S"), []);
  assert.deepEqual(press(OFFERS, one, "card=AH"), ["card=AH"]);
  assert.deepEqual(press(OFFERS, one, "card=2C"), one, "a thing that leads nowhere changes nothing");
});

test("picks stay while they lead somewhere", () => {
  assert.deepEqual(stillPicked(OFFERS, ["card=7S"]), ["card=7S"]);
  assert.deepEqual(stillPicked([OFFERS[3]], ["card=7S"]), []);
});

test("facets are the fields that differ, and a chosen one narrows like a mark", () => {
  const found = facets(OFFERS.slice(0, 4));
  assert.deepEqual(found.map(({ field }) => field), ["type", "card", "slot"]);
  assert.deepEqual(found[2].values, ["1", "2"]);
  assert.deepEqual(facets([OFFERS[0]]), []);
  assert.deepEqual(left(OFFERS, [facetMark("type", "swap")]), [OFFERS[4]]);
});
