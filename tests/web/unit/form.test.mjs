import assert from "node:assert/strict";
import { test } from "node:test";

import { bodyOf, choicesOf, choiceText, errorsByField, fieldOf, firstSeats, optionValue } from "../../../web/assets/form.js";

const option = (kind, more = {}) => ({ name: "x", kind, choices: [], may_be_null: false, default: null, ...more });
const NUMBERS = [{ value: 5, title: "Five" }, { value: "all", title: "All" }];
const RULES = {
  slug: "some_game",
  options: [
    option("number", { name: "points" }),
    option("switch", { name: "kept" }),
    option("choice", { name: "file", choices: NUMBERS }),
    option("number", { name: "first", may_be_null: true }),
    option("other", { name: "odd" }),
  ],
};

test("an option has the value that its field stands for", () => {
  assert.equal(optionValue(option("number"), "7"), 7);
  assert.equal(optionValue(option("number"), " -3 "), -3);
  assert.equal(optionValue(option("number"), ""), undefined);
  assert.equal(optionValue(option("number", { may_be_null: true }), " "), null);
  assert.equal(optionValue(option("switch"), "on"), true);
  assert.equal(optionValue(option("switch"), null), false);
  assert.equal(optionValue(option("switch", { may_be_null: true }), "null"), null);
  assert.equal(optionValue(option("switch", { may_be_null: true }), "true"), true);
  assert.equal(optionValue(option("text"), "a"), "a");
  assert.equal(optionValue(option("text"), ""), "");
  assert.equal(optionValue(option("text", { may_be_null: true }), ""), null);
  assert.equal(optionValue(option("other"), "1"), undefined);
});

test("a choice keeps the type of its value", () => {
  for (const { value } of NUMBERS) assert.equal(optionValue(option("choice", { choices: NUMBERS }), choiceText(value)), value);
  const free = option("choice", { choices: NUMBERS, may_be_null: true });
  assert.equal(optionValue(free, choiceText(null)), null);
  assert.deepEqual(choicesOf(free, "Open").map((one) => one.title), ["Open", "Five", "All"]);
  assert.deepEqual(choicesOf(option("number", { may_be_null: true }), "Open"), []);
});

test("the body is that of a new game", () => {
  const fields = new Map([
    ["seats", "4"], ["seats/0", "me"], ["seats/1", "bot:level_2"], ["seats/2", "account"], ["seats/2/account", " account_1 "],
    ["seats/3", "invite"], ["options/points", "5"], ["options/file", "5"], ["options/first", ""],
    ["clock", "60000"], ["then", "resign"], ["visibility", "private"], ["rated", "on"],
  ]);
  assert.deepEqual(bodyOf(fields, RULES), {
    rules: "some_game",
    seats: [{ kind: "me" }, { kind: "bot", bot: "level_2" }, { kind: "account", account: "account_1" }, { kind: "invite" }],
    options: { points: 5, kept: false, file: 5, first: null },
    clock: { action_ms: 60_000, then: "resign" },
    visibility: "private",
    rated: true,
    hints: false,
  });
  assert.equal(bodyOf(new Map([["seats", "2"], ["clock", "null"]]), RULES).clock, null);
  assert.ok(!("clock" in bodyOf(new Map([["seats", "2"], ["clock", ""], ["then", "resign"]]), RULES)), "the server's own");
});

const FIELDS = ["options/points", "seats", "seats/1", "seats/1/account", "clock", "then", "rated"];
const isField = (name) => FIELDS.includes(name);

test("an error belongs to the nearest field around its place", () => {
  const places = {
    "/options/points": "options/points", "/options/points/0": "options/points", "/seats/1/account": "seats/1/account",
    "/seats/1/bot": "seats/1", "/seats/7": "seats", "/clock/action_ms": "clock", "/clock/then": "then",
    "/options/odd": "", "": "", "/": "",
  };
  for (const [pointer, name] of Object.entries(places)) assert.equal(fieldOf(pointer, isField), name, pointer);
});

test("a refusal is sorted by field", () => {
  const problem = { errors: [{ pointer: "/options/points", detail: "a" }, { pointer: "/options/points", detail: "b" }, { pointer: null, detail: "c" }] };
  assert.deepEqual([...errorsByField(problem, isField)], [["options/points", ["a", "b"]], ["", ["c"]]]);
  assert.deepEqual([...errorsByField({ code: "rated-clock", detail: "d" }, isField)], [["clock", ["d"]]]);
  assert.deepEqual([...errorsByField({ code: "rated-legs", detail: "e" }, isField)], [["rated", ["e"]]]);
  assert.deepEqual([...errorsByField({ code: "busy", detail: "f" }, isField)], [["", ["f"]]]);
});

test("the address names the first opponent", () => {
  const seats = (query) => firstSeats(3, "level_1", new URLSearchParams(query));
  assert.deepEqual(seats(""), ["me", "bot:level_1", "bot:level_1"]);
  assert.deepEqual(seats("account=account_1"), ["me", "account", "bot:level_1"]);
  assert.deepEqual(seats("bot=greedy"), ["me", "bot:greedy", "bot:level_1"]);
  assert.deepEqual(seats("with=invite"), ["me", "invite", "bot:level_1"]);
});
