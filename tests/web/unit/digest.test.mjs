// web/assets/digest.js is equal to Node's own digests, around the borders of blocks.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { fromHex, hmac, joined, sha256, shake256, toHex, utf8 } from "../../../web/assets/digest.js";

const SHA_LENGTHS = [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 1000, 100_000];
const SHAKE_LENGTHS = [0, 1, 8, 69, 134, 135, 136, 137, 271, 272, 273, 500];

const message = (length) => Uint8Array.from({ length }, (_, at) => (at * 7 + length * 31 + (at >> 8)) % 256);
const node = (name, bytes, options) => createHash(name, options).update(bytes).digest("hex");

for (const length of SHA_LENGTHS) {
  test(`SHA-256 of ${length} bytes`, () => {
    assert.equal(toHex(sha256(message(length))), node("sha256", message(length)));
  });
}

for (const length of [0, 1, 32, 63, 64, 65, 200]) {
  test(`HMAC with a key of ${length} bytes`, () => {
    for (const size of [0, 55, 56, 64, 200]) {
      const expected = createHmac("sha256", message(length)).update(message(size)).digest("hex");
      assert.equal(toHex(hmac(message(length), message(size))), expected);
    }
  });
}

for (const length of SHAKE_LENGTHS) {
  test(`SHAKE-256 of ${length} bytes`, () => {
    for (const outputLength of [1, 32, 135, 136, 137, 256, 272, 512]) {
      const expected = node("shake256", message(length), { outputLength });
      assert.equal(toHex(shake256(message(length), outputLength)), expected);
    }
  });
}

test("a view into a longer buffer is read where it lies", () => {
  const part = message(300).subarray(7, 200);
  assert.equal(toHex(sha256(part)), node("sha256", part));
  assert.equal(toHex(shake256(part, 64)), node("shake256", part, { outputLength: 64 }));
});

test("hex and parts", () => {
  assert.deepEqual(fromHex("00ff10"), Uint8Array.of(0, 255, 16));
  assert.equal(toHex(joined("é", Uint8Array.of(0))), "c3a900");
  assert.deepEqual(utf8("é"), Uint8Array.of(0xc3, 0xa9));
});
