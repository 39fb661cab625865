/** A whole game of every ruleset against a bot, on the server at TABULARIUM_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { freshSeed, InvalidExport, ProblemError, Tabularium, verifyExport, type Game, type NewGame } from "tabularium-client";

const url = process.env["TABULARIUM_URL"] ?? "http://127.0.0.1:8000";
const client = await Tabularium.asGuest({ url }, "Ada");
const rulesets = await all(client.items("/api/v1/rules"));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A game of the fewest seats: one's own, and bots at the others. */
async function newGame(rules: string, fewest: number, more: Partial<NewGame> = {}): Promise<Game> {
  const bots = Array.from({ length: fewest - 1 }, () => ({ kind: "bot", bot: "greedy" }) as const);
  return client.createGame({ rules, seats: [{ kind: "me" }, ...bots], ...more });
}

/** Choices that are the same in every run: a generator of numbers from a text. */
function numbersFrom(text: string): (limit: number) => number {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

for (const { slug, version, seats } of rulesets) {
  test(`a whole game of ${slug}`, async () => {
    const begun = await newGame(slug, seats.fewest);
    assert.equal(begun.options?.type, `${slug}.options.v${version}`);
    assert.equal(begun.view?.type, `${slug}.view.v${version}`);
    const random = numbersFrom(slug);
    const watched = all(client.entries(begun.id)); // beside the game, until it is over
    const { game, receipts } = await client.play(begun.id, ({ offers }) => offers[random(offers.length)]);
    assert.equal(game.phase, "over");
    assert.ok(game.result && game.result.winners.length > 0 && game.result.reason);
    assert.ok(receipts.length > 0);

    const entries = await watched;
    assert.deepEqual(entries.map(({ seq }) => seq), entries.map((_, index) => index + 1));
    assert.equal(entries.length, game.seq);

    const file = await client.export(game.id);
    const verdict = await verifyExport(file, { receipts });
    assert.deepEqual(
      [verdict.game, verdict.rules, verdict.version, verdict.entries, verdict.head, verdict.isOver, verdict.level, verdict.signatures],
      [game.id, slug, version, game.seq, game.hash, true, 1, "checked"],
    );
    await refusesChanges(file, receipts);

    const again = await newGame(slug, seats.fewest, { options: game.options }); // options as they were received
    assert.deepEqual(again.options, game.options);
    await client.call("post", "/api/v1/games/{game}/resign", { path: { game: again.id }, body: { seat: 0 } });
  });
}

/** One byte of every line changed, every line left out, and a receipt of another log are all noticed. */
async function refusesChanges(file: Uint8Array, receipts: Awaited<ReturnType<typeof client.play>>["receipts"]): Promise<void> {
  const lines = new TextDecoder().decode(file).split(/(?<=\n)/);
  const samples = lines.map((_, index) => index).filter((index) => index % Math.ceil(lines.length / 12) === 0 || index > lines.length - 3);
  for (const index of samples) {
    const line = lines[index] as string;
    const place = Math.floor(line.length / 2);
    const changed = line.slice(0, place) + (line[place] === "a" ? "b" : "a") + line.slice(place + 1);
    await assert.rejects(verifyExport(lines.map((same, other) => (other === index ? changed : same)).join(""), { receipts }), InvalidExport);
    await assert.rejects(verifyExport(lines.filter((_, other) => other !== index).join(""), { receipts }), InvalidExport);
  }
  const [receipt] = receipts;
  assert.ok(receipt);
  const other = { ...receipt, hash: "0".repeat(64) };
  await assert.rejects(verifyExport(file, { receipts: [other] }), /invalid signature/);
  await assert.rejects(verifyExport(file, { key: "0".repeat(64) }), /not signed with the given key/);
}

test("all of one's own seats are played", async () => {
  const table = await client.createGame({ rules: "duality", seats: [{ kind: "me" }, { kind: "me" }], options: { type: "duality.options.v1", file: 2 } });
  const { game, receipts } = await client.play(table.id, ({ offers }) => offers[0]);
  assert.equal(game.phase, "over");
  const seats = (await all(client.entries(game.id))).flatMap(({ seat, action }) => (action?.type.startsWith("duality.") ? [seat] : []));
  assert.deepEqual([receipts.length, new Set(seats)], [seats.length, new Set([0, 1])]);
});

test("a seat's own seed makes the chance fair for all", async () => {
  const { seed, seedHash } = await freshSeed();
  const seats = [{ kind: "me", seed_hash: seedHash }, { kind: "bot", bot: "random" }] as const;
  const table = await client.createGame({ rules: "law_of_the_dice", seats: [...seats] }, { wait: 0 });
  await client.call("post", "/api/v1/games/{game}/seeds", { path: { game: table.id }, body: { seat: 0, seed } });
  await client.play(table.id, ({ offers }) => offers[0]);
  const verdict = await verifyExport(await client.export(table.id));
  assert.equal(verdict.level, 2);
  assert.ok(verdict.opened > 10);
});

test("a game that goes on verifies, too", async () => {
  const table = await newGame("law", 2);
  const verdict = await verifyExport(await client.export(table.id));
  assert.deepEqual([verdict.isOver, verdict.head], [false, table.hash]);
});

test("the games of an account tell their progress", async () => {
  const other = await Tabularium.asGuest({ url });
  const table = await other.createGame({ rules: "duality", seats: [{ kind: "me" }, { kind: "bot", bot: "random" }] });
  for await (const update of other.updates()) {
    assert.equal(update.game, table.id);
    if (update.my_turn) break;
  }
});

test("refusals have their code and what belongs to it", async () => {
  const table = await newGame("law_of_the_dice", 2);
  const { choice } = await client.waitForTurn(table.id);
  assert.ok(choice);
  const action = { type: "law_of_the_dice.play", card: "KC" } as never;
  const stale = await client.act(table.id, { seat: 0, choice: "00", action }, { wait: 0 }).catch((error: unknown) => error);
  assert.ok(stale instanceof ProblemError);
  assert.deepEqual([stale.status, stale.code, stale.problem?.choice?.token], [409, "stale-choice", choice.token]);
});

test("a repeated request is done once, even by another client", async () => {
  const key = `once-${(await freshSeed()).seed}`;
  const seats = [{ kind: "me" }, { kind: "open" }] as const;
  const made = [];
  for (const _ of [1, 2]) made.push(await client.createGame({ rules: "law", seats: [...seats] }, { idempotencyKey: key, wait: 0 }));
  assert.equal(made[0]?.id, made[1]?.id);
});
