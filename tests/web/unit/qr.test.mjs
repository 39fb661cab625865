import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { qrRows } from "../../../web/assets/qr.js";

const drawn = (text) => qrRows(text).map((row) => row.map((isDark) => (isDark ? "#" : ".")).join("")).join("\n");

const SMALLEST = `
#######...#.#.#######
#.....#.....#.#.....#
#.###.#.#.#...#.###.#
#.###.#.....#.#.###.#
#.###.#..#.##.#.###.#
#.....#..###..#.....#
#######.#.#.#.#######
........#.#..........
###.#####.#.###...#..
..##...#.#.#.#####.##
###..###.#.#.########
...###....###..##..#.
#.##.##...##.#..#..##
........#.#.....##..#
#######.#.#.#####..##
#.....#.#.#........##
#.###.#.###.#...##...
#.###.#...##..###..#.
#.###.#.#.##.######.#
#.....#.##.###.#...#.
#######.#..#..##...##`;

/** Made by the npm package `qrcode` 1.5 with the same version, level and mask. */
const DIGESTS = [
  ["https://example.org/me#0123-AB", "b6fd01241ba6c317a51f389cb862c782b206755af995a504c65684720a2e495f"],
  ["https://tabularium.example/me#ABCD-EFGH", "93e7141725da665d3757b9214662fcaf399a6d6f279b97e1c5a08f321b60c8e0"],
  ["x".repeat(78), "1112a665ef30e81cd613ad9c1a79c797545d6ca909954c19c0dde638451c6717"],
  ["y".repeat(106), "9baf88d8143513471352a31d7b9d917e073dd9b7cf24cdf099eff39893bba793"],
];

test("a small code has every module in its place", () => assert.equal(drawn("tabularium"), SMALLEST.trim()));

for (const [text, digest] of DIGESTS) {
  test(`the code of ${text.length} letters is that of another library`, () => {
    assert.equal(createHash("sha256").update(drawn(text)).digest("hex"), digest);
  });
}

test("a text is bytes, and must not be too long", () => {
  assert.equal(qrRows("é".repeat(53)).length, 37);
  assert.throws(() => qrRows("é".repeat(54)), /too long/);
});
