/** Streams over connections that break: each entry comes once, in order. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError, ProblemError, Tabularium } from "tabularium-client";
import { Fakes, lost, problem, streamed, type Answer } from "./fakes.js";

const line = (seq: number) => `${JSON.stringify({ seq })}\n`;
const over: Answer = () => new Response(null, { status: 204 });
const event = (id: string, game: string) => `id: ${id}\nevent: game\ndata: ${JSON.stringify({ game })}\n\n`;

async function collected<T>(items: AsyncIterable<T>, most = Infinity): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
    if (all.length === most) break;
  }
  return all;
}

test("entries come once and in order, however often the connection breaks", async () => {
  const fakes = new Fakes([
    streamed([line(1), "\n", line(2), line(3).slice(0, 5)], "breaks"), // in the middle of a line
    lost,
    problem(503, "unavailable", { "Retry-After": "2" }),
    streamed([line(2) + line(3), line(4).slice(0, 3), line(4).slice(3)]), // entry 2 again, two at once, a split one
    over,
  ]);
  const entries = await collected(new Tabularium(fakes.options).entries("game_1", { as: "onlooker" }));
  assert.deepEqual(entries.map(({ seq }) => seq), [1, 2, 3, 4]);
  const cursors = fakes.asked.map(({ url }) => new URL(url).searchParams.get("after"));
  assert.deepEqual(cursors, ["0", "2", "2", "2", "4"]);
  assert.ok(fakes.asked.every(({ url, headers }) => url.includes("as=onlooker") && headers.get("accept") === "application/x-ndjson"));
  assert.deepEqual(fakes.slept, [250, 500, 2000, 250]);
});

test("letters that two pieces share are put together", async () => {
  const whole = new TextEncoder().encode(`${JSON.stringify({ seq: 1, label: "♠" })}\n`);
  const pieces = [...whole].map((byte) => Uint8Array.of(byte));
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => { const piece = pieces.shift(); piece ? controller.enqueue(piece) : controller.close(); } });
  const fakes = new Fakes([() => new Response(body), over]);
  assert.deepEqual(await collected(new Tabularium(fakes.options).entries("game_1")), [{ seq: 1, label: "♠" }]);
});

test("a silent connection is replaced", async () => {
  const fakes = new Fakes([streamed([line(1)], "hangs"), streamed([line(2)]), over]);
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const reply = await fakes.fetch(url, init);
    return reply.body === null ? reply : new Response(reply.body.pipeThrough(new TransformStream(), init?.signal ? { signal: init.signal } : {}));
  };
  const entries = await collected(new Tabularium({ ...fakes.options, fetch, streamTimeout: 50 }).entries("game_1"));
  assert.deepEqual(entries.map(({ seq }) => seq), [1, 2]);
});

test("a refusal ends the stream", async () => {
  const fakes = new Fakes([streamed([line(1)], "breaks"), problem(404, "not-found")]);
  await assert.rejects(collected(new Tabularium(fakes.options).entries("game_1")), (error) => error instanceof ProblemError && error.code === "not-found");
});

test("it gives up after as many failures in a row as there are attempts", async () => {
  const fakes = new Fakes([lost, streamed([line(1)], "breaks"), lost, lost]);
  const client = new Tabularium({ ...fakes.options, attempts: 3 });
  await assert.rejects(collected(client.entries("game_1")), ConnectionError);
  assert.equal(fakes.asked.length, 4);
});

test("updates resume after the last id", async () => {
  const fakes = new Fakes([
    streamed(["retry: 2000\n", event("t1", "game_1"), ":\n\n", event("t2", "game_2").slice(0, -1)], "breaks"), // cut before its end
    streamed([event("t2", "game_2"), event("t3", "game_3")]),
  ]);
  const updates = await collected(new Tabularium(fakes.options).updates(), 3);
  assert.deepEqual(updates, [{ id: "t1", game: "game_1" }, { id: "t2", game: "game_2" }, { id: "t3", game: "game_3" }]);
  assert.deepEqual(fakes.asked.map(({ headers }) => headers.get("last-event-id")), [null, "t1"]);
});

test("open tables begin anew after a break", async () => {
  const [beginning, table] = ['{"game":null,"table":null}\n', '{"game":"game_1","table":null}\n'];
  const fakes = new Fakes([streamed([beginning, table], "breaks"), streamed([beginning])]);
  const items = await collected(new Tabularium(fakes.options).tables({ rules: "law" }), 3);
  assert.deepEqual(items.map(({ game }) => game), [null, "game_1", null]);
  assert.deepEqual(fakes.asked.map(({ url }) => new URL(url).search), Array(2).fill("?open=true&rules=law"));
});
