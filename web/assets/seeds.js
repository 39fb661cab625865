/** The seeds of this browser: its share in the chance of a game. The hash of one is given on joining; the seed
 *  is kept here, opened when every seat is taken, and found again in the export after the end. */

import { read, write } from "./account.js";
import { fromHex, joined, sha256, toHex } from "./digest.js";

const SEEDS = "tabularium.seeds";
const KEPT = 200; // the latest; older games have started or never will

/** @returns {Record<string, string>} seeds by their hashes, the oldest first */
function kept() {
  try {
    const seeds = JSON.parse(read(SEEDS) ?? "{}");
    return seeds && typeof seeds === "object" ? seeds : {};
  } catch {
    return {};
  }
}

/** @param {string} seed */
export const seedHash = (seed) => toHex(sha256(joined("tabularium/seed/1", fromHex(seed))));

/** A fresh seed, which this browser keeps; the `seed_hash` for joining, or for a seat of one's own in a new game. */
export function newSeed() {
  const seed = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const hash = seedHash(seed);
  write(SEEDS, JSON.stringify(Object.fromEntries([...Object.entries(kept()), [hash, seed]].slice(-KEPT))));
  return hash;
}

/** Own seats whose seeds are due: all seats are taken, and the game waits for them. @param {any} game a GameView */
export function seedsDue({ phase, seats }) {
  const areTaken = seats.every((/** @type {any} */ { kind }) => kind === "account" || kind === "bot");
  if (phase !== "gathering" || !areTaken) return [];
  return seats.flatMap((/** @type {any} */ { is_you, seed, seat }) => (is_you && seed === "promised" ? [seat] : []));
}

/**
 * Open the seeds that are due. A seed that this browser does not have was promised by another: that seat can be
 * left and joined anew.
 * @param {import("./api.js").Api} api @param {any} game a GameView
 * @returns {Promise<{game: any, missing: number[]}>} the game after that, and the seats without a seed here
 */
export async function openSeeds(api, game) {
  const due = seedsDue(game);
  /** @type {number[]} */ const missing = [];
  if (due.length === 0) return { game, missing };
  const path = { game: game.id };
  const hashes = promised((await api.call("getLog", { path, query: { limit: 1000 } })).items);
  const seeds = kept();
  let after = game;
  for (const seat of due) {
    const seed = seeds[hashes.get(seat) ?? ""];
    if (seed) after = await api.call("openSeed", { path, body: { seat, seed } });
    else missing.push(seat);
  }
  return { game: after, missing };
}

/** The hashes that seats have given, by the seat's last joining. @param {any[]} entries of a log */
function promised(entries) {
  const joins = entries.map((entry) => entry.public).filter(({ action }) => action?.type === "table.join");
  return new Map(joins.map(({ seat, action }) => [seat, action.seed_hash]));
}

/** The seats whose opened seeds are of this browser. @param {(string | null)[]} seeds of an export, by seat */
export function ownSeats(seeds) {
  const mine = new Set(Object.values(kept()));
  return seeds.flatMap((seed, seat) => (seed && mine.has(seed) ? [seat] : []));
}
