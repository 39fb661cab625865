/** Retries: the same idempotency key on every attempt, pauses that the server asks for, typed errors. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError, ProblemError, Tabularium } from "tabularium-client";
import { Fakes, json, lost, problem } from "./fakes.js";

const GAME = { rules: "law", seats: [{ kind: "me" }, { kind: "bot", bot: "random" }] } as const;
const asBody = () => ({ rules: GAME.rules, seats: [...GAME.seats] });

test("a request is sent again with the same idempotency key and body", async () => {
  const fakes = new Fakes([lost, problem(500, "internal-error"), problem(503, "unavailable", { "Retry-After": "3" }), json({ id: "game_1" })]);
  const made = await new Tabularium(fakes.options).createGame(asBody());
  assert.equal(made.id, "game_1");
  assert.deepEqual(fakes.slept, [250, 500, 3000]);
  assert.equal(new Set(fakes.asked.map(({ headers }) => headers.get("idempotency-key"))).size, 1);
  assert.match(fakes.asked[0]?.headers.get("idempotency-key") ?? "", /^"[0-9a-f-]{36}"$/);
  assert.equal(new Set(fakes.asked.map(({ body }) => body)).size, 1);
  assert.deepEqual(JSON.parse(fakes.asked[3]?.body ?? ""), asBody());
});

test("every operation is a method: path, query, body and replies that are no JSON", async () => {
  const bytes = () => new Response(new Uint8Array([0x89, 0xff]));
  const nothing = () => new Response(null, { status: 204 });
  const fakes = new Fakes([json({ items: [] }), json({}), json({}), () => new Response("# Law"), bytes, nothing]);
  const client = new Tabularium(fakes.options);
  await client.listGames({ query: { phase: "over", limit: 2 } });
  await client.startGame("game_1");
  await client.resign("game_1", { seat: 1 }, { idempotencyKey: "kept" });
  const text: string = await client.rulesText("law");
  const picture: Uint8Array = await client.picturePng("game_1");
  await client.deleteWebhook("webhook_1");
  assert.deepEqual(fakes.asked.map(({ method, url, body }) => [method, url.replace("http://test/api/v1", ""), body]), [
    ["GET", "/games?phase=over&limit=2", null],
    ["POST", "/games/game_1/start", "{}"],
    ["POST", "/games/game_1/resign", '{"seat":1}'],
    ["GET", "/rules/law/text", null],
    ["GET", "/games/game_1/picture.png", null],
    ["DELETE", "/webhooks/webhook_1", null],
  ]);
  assert.equal(fakes.asked[2]?.headers.get("idempotency-key"), '"kept"');
  assert.equal(text, "# Law");
  assert.deepEqual([...picture], [0x89, 0xff]);
});

test("each request has a key of its own, or the caller's", async () => {
  const fakes = new Fakes([json({}), json({}), json({})]);
  const client = new Tabularium(fakes.options);
  await client.createGame(asBody());
  await client.createGame(asBody());
  await client.createGame(asBody(), { idempotencyKey: "kept-in-a-file" });
  const keys = fakes.asked.map(({ headers }) => headers.get("idempotency-key"));
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], '"kept-in-a-file"');
});

test("a reply that breaks off is asked for again", async () => {
  const broken = () => new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }));
  const fakes = new Fakes([broken, json({ id: "game_1" })]);
  assert.equal((await new Tabularium(fakes.options).game("game_1")).id, "game_1");
});

test("429 is waited out if the server says how long", async () => {
  const fakes = new Fakes([problem(429, "too-many-requests", { "Retry-After": "7" }), json({ id: "game_1" })]);
  await new Tabularium(fakes.options).game("game_1");
  assert.deepEqual(fakes.slept, [7000]);
});

for (const [status, code, headers] of [
  [429, "too-many-games", {}],
  [429, "too-many-requests", { "Retry-After": "3600" }],
  [409, "stale-choice", {}],
  [501, "not-implemented", {}],
] as const) {
  test(`${status} ${code} is thrown at once`, async () => {
    const fakes = new Fakes([problem(status, code, headers)]);
    const failure = await new Tabularium(fakes.options).game("game_1").catch((error: unknown) => error);
    assert.ok(failure instanceof ProblemError);
    assert.deepEqual([failure.status, failure.code, failure.requestId, failure.message], [status, code, "req_1", `${code}: A sentence.`]);
    assert.deepEqual(fakes.slept, []);
  });
}

test("an error page of a proxy is a problem without a code", async () => {
  const fakes = new Fakes([() => new Response("<h1>Teapot</h1>", { status: 418, headers: { "Content-Type": "text/html" } })]);
  const failure = await new Tabularium(fakes.options).game("game_1").catch((error: unknown) => error);
  assert.ok(failure instanceof ProblemError);
  assert.deepEqual([failure.status, failure.code, failure.problem], [418, undefined, undefined]);
});

test("it gives up after the attempts, with the last failure", async () => {
  const fakes = new Fakes([lost, lost, lost]);
  const failure = await new Tabularium({ ...fakes.options, attempts: 3 }).game("game_1").catch((error: unknown) => error);
  assert.ok(failure instanceof ConnectionError);
  assert.ok(failure.cause instanceof TypeError);
  assert.equal(fakes.slept.length, 2);
});

test("an attempt without a reply is given up", async () => {
  const silent = ({}, ) => new Promise<Response>(() => {});
  const fakes = new Fakes([silent, json({ id: "game_1" })]);
  const fetch: typeof globalThis.fetch = (url, init) => Promise.race([
    fakes.fetch(url, init),
    new Promise<Response>((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error))),
  ]);
  const client = new Tabularium({ ...fakes.options, fetch, timeout: 20 });
  assert.equal((await client.game("game_1")).id, "game_1");
});

test("a repeated deletion that finds nothing was done", async () => {
  const fakes = new Fakes([lost, problem(404, "not-found")]);
  await new Tabularium(fakes.options).call("delete", "/api/v1/me/keys/{key}", { path: { key: "key_1" } });
  const first = new Fakes([problem(404, "not-found")]);
  await assert.rejects(new Tabularium(first.options).call("delete", "/api/v1/me/keys/{key}", { path: { key: "key_1" } }), ProblemError);
});

test("the caller's signal ends the attempts", async () => {
  const controller = new AbortController();
  const fakes = new Fakes([() => { controller.abort(new Error("enough")); throw new TypeError("aborted"); }]);
  await assert.rejects(new Tabularium(fakes.options).game("game_1", { signal: controller.signal }), /enough/);
});

test("lists are read page by page", async () => {
  const fakes = new Fakes([json({ items: [1, 2], next_cursor: "c+1" }), json({ items: [3], next_cursor: null })]);
  const items: unknown[] = [];
  for await (const item of new Tabularium(fakes.options).items("/api/v1/me/games", { query: { limit: 2, my_turn: true } })) items.push(item);
  assert.deepEqual(items, [1, 2, 3]);
  assert.deepEqual(fakes.asked.map(({ url }) => url), [
    "http://test/api/v1/me/games?limit=2&my_turn=true",
    "http://test/api/v1/me/games?limit=2&my_turn=true&cursor=c%2B1",
  ]);
});
