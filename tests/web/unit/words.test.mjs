import assert from "node:assert/strict";
import { test } from "node:test";

import { waits } from "../../../web/assets/lists.js";
import { agoWords, botName, botWords, clockWords, durationWords, opponents, resultOf, seatName, strengthAt, valueWords } from "../../../web/assets/words.js";

const seat = (kind, more = {}) => ({ kind, account: null, bot: null, name: null, is_deleted: false, is_you: false, ...more });

test("seats are named", () => {
  assert.equal(seatName(seat("account", { name: "Ada" })), "Ada");
  assert.equal(seatName(seat("account", { name: "" })), "A guest");
  assert.equal(seatName(seat("account", { is_deleted: true })), "A deleted account");
  assert.equal(seatName(seat("account", { name: "Ada", is_you: true })), "You");
  assert.equal(seatName(seat("bot", { bot: "level_3" })), "Level 3");
  assert.equal(seatName(seat("bot", { bot: "greedy", account: "account_1", name: "Ada" })), "Ada (a bot plays on)");
  assert.equal(seatName(seat("open")), "an open seat");
  assert.equal(seatName(seat("challenge", { account: "account_1", name: "Ada" })), "Ada (asked)");
  assert.equal(seatName(seat("challenge")), "a challenged player");
});

test("results are said from the reader's seat", () => {
  const seats = [seat("account", { name: "Ada" }), seat("account", { name: "Bob", is_you: true })];
  assert.equal(resultOf({ seats, result: null, ending: "called_off" }), "Called off");
  assert.equal(resultOf({ seats, result: { winners: [0] } }), "Won by Ada");
  assert.equal(resultOf({ seats, result: { winners: [0, 1] } }), "You won");
  assert.equal(resultOf({ seats, result: { winners: [], reason: "It expired." } }), "It expired.");
});

test("a game waits for an action, or for an answer", () => {
  const game = { to_act: [1], your_seats: [0], proposal: null };
  assert.equal(waits(game), false);
  assert.equal(waits({ ...game, to_act: [0, 1] }), true);
  assert.equal(waits({ ...game, proposal: { asked: [0] } }), true);
});

test("times and clocks are words", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  assert.equal(agoWords("2026-01-01T23:57:00Z", now), "3 minutes ago");
  assert.equal(agoWords("2026-01-04T00:00:01Z", now), "in 2 days");
  assert.equal(agoWords("2026-01-02T00:00:00Z", now), "now");
  assert.equal(durationWords(259_200_000), "3 days");
  assert.equal(durationWords(3_600_000), "1 hour");
  assert.equal(durationWords(90_000), "90 seconds");
  assert.equal(clockWords(null), "No limit");
  assert.equal(clockWords({ action_ms: 60_000, then: "resign" }), "1 minute; the seat resigns");
});

test("values of options are words", () => {
  const choice = { choices: [{ value: 7, title: "Seven" }] };
  assert.equal(valueWords(choice, 7), "Seven");
  assert.equal(valueWords({ choices: [] }, null), "left open");
  assert.equal(valueWords({ choices: [] }, true), "yes");
  assert.equal(valueWords({ choices: [] }, 0), "0");
});

const strength = (more) => ({ rules: "a", seats: 2, options: { type: "a" }, opponent: "level_1", share: 0.99, ...more });
const BOTS = [
  { name: "random", rules: ["a", "b"], strength: [] },
  { name: "greedy", rules: ["a", "b"], strength: [] },
  { name: "level_1", rules: ["a"], strength: [strength({ opponent: "random" })] },
  { name: "level_2", rules: ["a"], strength: [strength({ options: { type: "a", x: 1 }, share: 0.5 }), strength({}), strength({ seats: 3 })] },
];

test("opponents are the levels, or else the greedy bot", () => {
  assert.deepEqual(opponents(BOTS, "a").map((bot) => bot.name), ["level_1", "level_2"]);
  assert.deepEqual(opponents(BOTS, "b").map((bot) => bot.name), ["greedy"]);
  assert.deepEqual(opponents(BOTS, "c"), []);
});

test("bots are named with their measured strength", () => {
  assert.equal(botName("mcts"), "Mcts");
  assert.equal(strengthAt(BOTS[3], "a", 2).share, 0.99);
  assert.equal(botWords(BOTS[2], "a", 2, true), "Level 1, the easiest");
  assert.equal(botWords(BOTS[3], "a", 2, false), "Level 2, wins 99\u00a0% against Level 1");
  assert.equal(botWords(BOTS[0], "a", 2, false), "Random");
});
