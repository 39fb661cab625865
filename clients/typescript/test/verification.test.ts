/** The vectors of docs/fairness.md; exports and their mutations, with the verdicts of docs/verify.py. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { InvalidExport, verifyExport } from "tabularium-client";
import { canonical, parsed } from "../dist/verification/canonical.js";
import { isGenuine } from "../dist/verification/receipts.js";
import { drawn, seal, Secret } from "../dist/verification/secret.js";
import { shake256 } from "../dist/verification/shake256.js";
import { seedHash } from "../dist/seeds.js";
import { fromHex, sha256, toHex, utf8 } from "../dist/web_crypto.js";

const vectors = JSON.parse(readFileSync(new URL("../../../docs/fairness-vectors.json", import.meta.url), "utf8"));
const { S, K, game, seeds, ...secret } = vectors.secret;

test("canonical JSON", () => {
  for (const { document, text } of vectors.canonical) {
    assert.equal(canonical(document), text);
    assert.deepEqual(parsed(utf8(`${text}\n`)), document);
  }
  for (const text of ['{"b":1,"a":2}', '{"a":1,"a":1}', "{ }", "1.0", "-0", "1e3", "9007199254740992", '"\\ud800"', '"\\u0041"', '{"é":1}', "\ufeff1"]) {
    assert.throws(() => parsed(utf8(`${text}\n`)), InvalidExport, text);
  }
  assert.throws(() => parsed(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)), InvalidExport);
  assert.throws(() => parsed(utf8("1")), /truncated/);
});

test("what follows from the secret", async () => {
  const derived = new Secret(S);
  assert.equal(await derived.commitment(game), secret.commitment);
  assert.equal(await seedHash(secret.seed), secret["hash of the seed"]);
  assert.equal(toHex(await derived.drawKey(game, seeds)), K);
  assert.equal(toHex(await derived.salt(game, 7, "/draws")), secret["salt of /draws in entry 7"]);
});

test("draws", () => {
  for (const { seq, draws } of vectors.draws) {
    const limits = draws.map(([, limit]: [number, number]) => limit);
    assert.deepEqual([...drawn(fromHex(K), game, seq, limits)], draws.map(([value]: [number, number]) => value));
  }
});

test("SHAKE-256 is that of Node, over blocks of input and output", () => {
  for (const length of [0, 1, 135, 136, 137, 271, 272, 500]) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
    const blocks = shake256(message);
    const output = [...Array(4)].map(() => toHex(blocks.next().value as Uint8Array)).join("");
    assert.equal(output, createHash("shake256", { outputLength: 4 * 136 }).update(message).digest("hex"));
  }
});

test("entries, seals and receipts", async () => {
  assert.equal(await sha256(utf8("tabularium/entry/1"), utf8(vectors.entry.text)), vectors.entry.hash);
  const { salt, path, value } = vectors.seal;
  assert.equal(await seal(fromHex(salt), path, value), vectors.seal.seal);
  assert.ok(await isGenuine(vectors.receipt.receipt));
  for (const change of [{ seq: 8 }, { hash: "0".repeat(64) }, { key: S }, { signature: "0".repeat(128) }]) {
    assert.ok(!(await isGenuine({ ...vectors.receipt.receipt, ...change })));
  }
});

test("the export of the vectors, and what may be left out of it", async () => {
  const lines: string[] = vectors.export.map((line: string) => `${line}\n`);
  const verdict = await verifyExport(lines.join(""));
  assert.deepEqual([verdict.game, verdict.entries, verdict.isOver, verdict.level, verdict.signatures], [game, 6, true, 0, "checked"]);
  const unsigned = lines.join("").replace(/"receipts":\[.*\]/, '"receipts":[]');
  await assert.rejects(verifyExport(unsigned), /not the required ones/);
  assert.equal((await verifyExport(unsigned, { unsigned: true })).signatures, "none");
  for (let count = 0; count < lines.length; count += 1) {
    await assert.rejects(verifyExport(lines.slice(0, count).join("")), InvalidExport);
  }
});

// -- the record ---------------------------------------------------------------------------------------

const vkey: string = vectors.record["verifier key"];
const [first] = vectors.recorded.good;

function linesOf(vector: { lines: (number | string)[] }): string {
  return vector.lines.map((line) => `${typeof line === "number" ? first.lines[line] : line}\n`).join("");
}

test("good proofs from the record", async () => {
  const [proven, blinded] = vectors.recorded.good;
  for (const vector of vectors.recorded.good) {
    const { recorded } = await verifyExport(linesOf(vector));
    assert.deepEqual([recorded?.index, recorded?.size, recorded?.signature], [BigInt(vector.index), 7n, "no key"]);
    assert.equal((await verifyExport(linesOf(vector), { record: vkey })).recorded?.signature, "checked");
  }
  assert.equal((await verifyExport(linesOf(proven))).recorded?.leaf, "game/1");
  assert.equal((await verifyExport(linesOf(blinded))).recorded?.leaf, "blind/1");
  const plain = vectors.export.map((line: string) => `${line}\n`).join("");
  assert.equal((await verifyExport(plain)).recorded, undefined);
  for (const vector of [proven, blinded]) {
    const { proof, leaf } = JSON.parse(linesOf(vector).split("\n").at(-2) as string).record;
    const { recorded } = await verifyExport(plain, { proof, record: vkey });
    assert.deepEqual([recorded?.leaf, recorded?.origin, recorded?.signature], [leaf, "games.example/record", "checked"]);
    const wrong = proof.replace(/index \d/, "index 0");
    await assert.rejects(verifyExport(plain, { proof: wrong }), { sentence: /does not lead from the leaf|must have/ });
  }
});

test("wrong proofs from the record, each with its sentence", async () => {
  assert.ok(vectors.recorded.refused.length > 60);
  for (const vector of vectors.recorded.refused) {
    const options = vector["verifier key"] === null ? {} : { record: vector["verifier key"] };
    await assert.rejects(verifyExport(linesOf(vector), options), { name: "InvalidExport", sentence: vector.sentence });
  }
});

test("a key of the record that is none", async () => {
  for (const record of ["", "x", "a+b+c", vkey.slice(0, -4), vkey.replace("games", "game"), `${vkey}=`]) {
    await assert.rejects(verifyExport(linesOf(first), { record }), TypeError);
  }
});

const samples = process.env["TABULARIUM_EXPORTS"] ?? "";

test("the verdicts on exports and their mutations are those of docs/verify.py", { skip: !existsSync(samples) }, async () => {
  const told = { good: 0, bad: 0 };
  for (const text of readFileSync(samples, "utf8").split("\n").filter(Boolean)) {
    const { name, lines, mutations } = JSON.parse(text);
    const original: Buffer[] = lines.map((line: string) => Buffer.from(line, "base64"));
    for (const { first, old, new: added, ok } of mutations) {
      const changed = [
        ...original.slice(0, first), ...added.map((line: string) => Buffer.from(line, "base64")), ...original.slice(first + old),
      ];
      const isGood = await verifyExport(Buffer.concat(changed)).then(() => true, (problem: unknown) => {
        assert.ok(problem instanceof InvalidExport, String(problem));
        return false;
      });
      assert.equal(isGood, ok, `${name}: lines ${first} to ${first + old}`);
      told[ok ? "good" : "bad"] += 1;
    }
  }
  assert.ok(told.good >= 5 && told.bad >= 500, JSON.stringify(told));
});
