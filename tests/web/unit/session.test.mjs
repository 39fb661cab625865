// A session takes answers in any order: none brings back a position that the table has left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../../web/assets/session.js";

const gameAt = (seq, token) => ({ id: "game_1", seq, phase: "playing", your_seats: [0], choice: { seat: 0, token, offers: [] } });
const entriesTo = (seq, first = 1) => Array.from({ length: seq - first + 1 }, (_, at) => ({ seq: first + at, news: [] }));

/** An API whose answers the test gives, each when it likes. */
function slowApi() {
  const waiting = [];
  const call = (name, { query } = {}) => new Promise((resolve) => waiting.push({ name, query, resolve }));
  const answer = async (name, reply) => {
    const at = waiting.findIndex((one) => one.name === name);
    assert.notEqual(at, -1, `${name} is not asked for`);
    waiting.splice(at, 1)[0].resolve(reply);
    await new Promise(setImmediate);
  };
  return { call, answer, asked: () => waiting.map((one) => one.name) };
}

async function sessionAt(seq, token) {
  const api = slowApi();
  const heard = [];
  const told = { changed: (news) => heard.push(...news.map((entry) => entry.seq)), failed: (failure) => assert.fail(failure) };
  const session = new Session(api, "game_1", false, told);
  session.refresh();
  await api.answer("getGame", gameAt(seq, token));
  await api.answer("getLog", { items: entriesTo(seq) });
  return { api, session, heard };
}

test("a look that an action overtakes does not bring the old choice back", async () => {
  const { api, session, heard } = await sessionAt(4, "before");
  session.refresh();
  const acting = session.act(session.choice, { action: {} });
  await api.answer("getGame", gameAt(4, "before"));
  await api.answer("act", { seq: 6, to_act: [0], choice: { seat: 0, token: "after", offers: [] }, entries: entriesTo(6, 5), result: null });
  await acting;
  await api.answer("getLog", { items: entriesTo(6, 5) });
  assert.equal(session.game.seq, 6);
  assert.equal(session.choice.token, "after");
  assert.deepEqual(heard, [1, 2, 3, 4, 5, 6]);
});

test("the answer to an action that a look overtakes does not either", async () => {
  const { api, session, heard } = await sessionAt(4, "before");
  const acting = session.act(session.choice, { action: {} });
  session.refresh();
  await api.answer("getGame", gameAt(8, "later"));
  await api.answer("getLog", { items: entriesTo(8, 5) });
  await api.answer("act", { seq: 6, to_act: [], choice: null, entries: entriesTo(6, 5), result: null });
  await acting;
  assert.equal(session.game.seq, 8);
  assert.equal(session.choice.token, "later");
  assert.deepEqual(heard, [1, 2, 3, 4, 5, 6, 7, 8]);
});

test("an answer to another viewer is not mixed with the log of this one", async () => {
  const { api, session } = await sessionAt(4, "before");
  session.refresh();
  await api.answer("getGame", gameAt(6, "after"));
  session.entries = [];
  const reading = session.readLog();
  await api.answer("getLog", { items: entriesTo(6, 5) });
  assert.deepEqual(session.entries, []);
  await api.answer("getLog", { items: entriesTo(6) });
  assert.equal((await reading).length, 6);
  assert.equal(session.seq, 6);
});

test("the answer to an action leaves no gap in a log that is read anew", async () => {
  const { api, session, heard } = await sessionAt(4, "before");
  const acting = session.act(session.choice, { action: {} });
  session.entries = [];
  const reading = session.readLog();
  await api.answer("act", { seq: 6, to_act: [], choice: null, entries: entriesTo(6, 5), result: null });
  assert.deepEqual(session.entries, []);
  await api.answer("getLog", { items: entriesTo(6) });
  await reading;
  await api.answer("getGame", gameAt(6, "after"));
  await api.answer("getLog", { items: [] });
  await acting;
  assert.equal(session.seq, 6);
  assert.deepEqual(heard, [1, 2, 3, 4]);
});
