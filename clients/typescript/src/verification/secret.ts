/** What follows from a game's secret: commitment, key of the draws, salts (docs/fairness.md, part 2). */

import { fromHex, joined, sha256, toHex, utf8, webCrypto } from "../web_crypto.js";
import { canonical, type Json } from "./canonical.js";
import { shake256 } from "./shake256.js";

const WORD_BYTES = 8;
const ALL_WORDS = 1n << 64n;

/** A game's secret, or a key that follows from it. */
export class Secret {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #key: Promise<CryptoKey> | undefined;

  constructor(hex: string) {
    this.bytes = fromHex(hex);
  }

  async commitment(game: string): Promise<string> {
    return sha256(utf8("tabularium/commit/1"), utf8(game), this.bytes);
  }

  /** K, the key of all draws. */
  async drawKey(game: string, seeds: (string | null)[]): Promise<Uint8Array> {
    return this.mac(["tabularium/key/1", game, seeds]);
  }

  async salt(game: string, seq: number, path: string): Promise<Uint8Array> {
    return this.mac(["tabularium/salt/1", game, seq, path]);
  }

  /** The blinding of a game's leaf in the record, in hex. */
  async blinded(game: string, leaf: string): Promise<string> {
    const { subtle } = await webCrypto();
    const blinding = (await this.mac(["tabularium/blind/1", game])) as Uint8Array<ArrayBuffer>;
    const key = await subtle.importKey("raw", blinding, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return toHex(new Uint8Array(await subtle.sign("HMAC", key, utf8(leaf))));
  }

  private async mac(message: Json): Promise<Uint8Array> {
    const { subtle } = await webCrypto();
    this.#key ??= subtle.importKey("raw", this.bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await subtle.sign("HMAC", await this.#key, utf8(canonical(message))));
  }
}

/** The seal of a hidden field. */
export async function seal(salt: Uint8Array, path: string, value: Json): Promise<string> {
  return sha256(salt, utf8(canonical([path, value])));
}

/** The draws of an entry, from 64-bit words without those that would bias them. */
export function* drawn(key: Uint8Array, game: string, seq: number, limits: number[]): Generator<number> {
  const number = new Uint8Array(WORD_BYTES);
  new DataView(number.buffer).setBigUint64(0, BigInt(seq));
  const words = wordsOf(joined(utf8("tabularium/draw/1"), key, utf8(game), number));
  for (const limit of limits.map(BigInt)) {
    const fair = ALL_WORDS - (ALL_WORDS % limit);
    let word = words.next().value as bigint;
    while (word >= fair) word = words.next().value as bigint;
    yield Number(word % limit);
  }
}

function* wordsOf(message: Uint8Array): Generator<bigint> {
  for (const block of shake256(message)) {
    const view = new DataView(block.buffer);
    for (let place = 0; place < block.length; place += WORD_BYTES) yield view.getBigUint64(place);
  }
}
