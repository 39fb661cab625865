/** A seat's own share in the chance of a game (docs/fairness.md, part 2). */

import { fromHex, sha256, toHex, utf8, webCrypto } from "./web_crypto.js";

export interface Seed {
  /** The seed in hex: opened with `openSeed` when every seat is taken. */
  seed: string;
  /** Its hash: sent as `seed_hash` on joining. */
  seedHash: string;
}

/** The hash under which a seat promises a seed. */
export async function seedHash(seed: string): Promise<string> {
  return sha256(utf8("tabularium/seed/1"), fromHex(seed));
}

/** A random seed of 32 bytes. Keep it until it is opened. */
export async function freshSeed(): Promise<Seed> {
  const seed = toHex((await webCrypto()).getRandomValues(new Uint8Array(32)));
  return { seed, seedHash: await seedHash(seed) };
}
