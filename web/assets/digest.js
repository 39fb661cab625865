// @ts-nocheck: every index is within arrays of a fixed length; tests hold the digests equal to Node's
/** SHA-256, HMAC-SHA-256 (FIPS 180-4, RFC 2104) and SHAKE-256 (FIPS 202), which do not wait and need no
 *  secure context: `crypto.subtle` is missing on http:// other than localhost, and has no SHAKE-256. */

const BLOCK = 64; // bytes of SHA-256 and of the key of its HMAC
const RATE = 136; // bytes of SHAKE-256

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/** @param {string} text hexadecimal digits */
export function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => bytes.reduce((text, byte) => text + DIGITS[byte], "");

/** The parts one after another; texts in UTF-8. @param {...(Uint8Array | string)} parts */
export function joined(...parts) {
  const all = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const bytes = new Uint8Array(all.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// -- SHA-256: its constants are the first bits of the roots of the first primes ---------------------

const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter((n) => {
  for (let by = 2; by * by <= n; by += 1) if (n % by === 0) return false;
  return true;
});
/** @param {number} root */
const bitsOf = (root) => ((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => bitsOf(Math.sqrt(prime)));
const CONSTANTS = Int32Array.from(PRIMES.slice(0, 64), (prime) => bitsOf(Math.cbrt(prime)));
const words = new Int32Array(64);

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Int32Array} state @param {DataView} input @param {number} from */
function compress(state, input, from) {
  for (let at = 0; at < 16; at += 1) words[at] = input.getInt32(from + 4 * at);
  for (let at = 16; at < 64; at += 1) {
    const [old, late] = [words[at - 15], words[at - 2]];
    const low = turned(old, 7) ^ turned(old, 18) ^ (old >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16] + low + words[at - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + CONSTANTS[at] + words[at]) | 0;
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
}

/** @param {Uint8Array} message */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = Int32Array.from(START);
  for (let from = 0; from < padded.length; from += BLOCK) compress(state, view, from);
  state.forEach((word, at) => view.setInt32(4 * at, word));
  return padded.slice(0, 32);
}

/** @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const short = key.length > BLOCK ? sha256(key) : key;
  /** @param {number} pad */
  const padded = (pad) => Uint8Array.from({ length: BLOCK }, (_, at) => (short[at] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

// -- SHAKE-256: lanes of 64 bits as two words, the low one first ------------------------------------

/** @type {number[]} */ const ROUNDS = []; // the constants, low and high words
/** @type {number[]} */ const ROTATIONS = Array(25).fill(0);
for (let register = 1, round = 0; round < 24; round += 1) {
  const constant = [0, 0];
  for (let bit = 0; bit < 7; bit += 1) {
    const place = 2 ** bit - 1;
    if (register & 1) constant[place >> 5] |= 1 << (place & 31);
    register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
  }
  ROUNDS.push(...constant);
}
for (let step = 0, x = 1, y = 0; step < 24; step += 1) {
  ROTATIONS[x + 5 * y] = (((step + 1) * (step + 2)) / 2) % 64;
  [x, y] = [y, (2 * x + 3 * y) % 5];
}
const LANES = Array.from({ length: 25 }, (_, lane) => lane);
const TARGETS = LANES.map((lane) => 2 * (Math.floor(lane / 5) + 5 * ((2 * (lane % 5) + 3 * Math.floor(lane / 5)) % 5))); // of the step pi
const BEFORE = LANES.map((lane) => 2 * ((lane + 4) % 5));
const AFTER = LANES.map((lane) => 2 * ((lane + 1) % 5));
const NEXT = Array.from({ length: 50 }, (_, at) => at - (at % 10) + ((at + 2) % 10));
const columns = new Int32Array(10);
const moved = new Int32Array(50);

/** Keccak-f[1600]. @param {Int32Array} lanes */
function permute(lanes) {
  for (let round = 0; round < 48; round += 2) {
    for (let at = 0; at < 10; at += 1) columns[at] = lanes[at] ^ lanes[at + 10] ^ lanes[at + 20] ^ lanes[at + 30] ^ lanes[at + 40];
    for (let lane = 0; lane < 25; lane += 1) {
      const before = BEFORE[lane];
      const after = AFTER[lane];
      const by = ROTATIONS[lane];
      const to = TARGETS[lane];
      const one = lanes[2 * lane] ^ columns[before] ^ ((columns[after] << 1) | (columns[after + 1] >>> 31));
      const two = lanes[2 * lane + 1] ^ columns[before + 1] ^ ((columns[after + 1] << 1) | (columns[after] >>> 31));
      const low = by < 32 ? one : two;
      const high = by < 32 ? two : one;
      const rest = by & 31;
      moved[to] = rest ? (low << rest) | (high >>> (32 - rest)) : low;
      moved[to + 1] = rest ? (high << rest) | (low >>> (32 - rest)) : high;
    }
    for (let at = 0; at < 50; at += 1) {
      lanes[at] = moved[at] ^ (~moved[NEXT[at]] & moved[NEXT[NEXT[at]]]);
    }
    lanes[0] ^= ROUNDS[round];
    lanes[1] ^= ROUNDS[round + 1];
  }
}

/** @param {Uint8Array} message @param {number} length of the output, in bytes */
export function shake256(message, length) {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = 0x1f;
  padded[padded.length - 1] |= 0x80;
  const input = new DataView(padded.buffer);
  const lanes = new Int32Array(50);
  for (let from = 0; from < padded.length; from += RATE) {
    for (let at = 0; at < RATE / 4; at += 1) lanes[at] ^= input.getInt32(from + 4 * at, true);
    permute(lanes);
  }
  const output = new DataView(new ArrayBuffer(Math.ceil(length / RATE) * RATE));
  for (let from = 0; from < output.byteLength; from += RATE) {
    if (from) permute(lanes);
    for (let at = 0; at < RATE / 4; at += 1) output.setInt32(from + 4 * at, lanes[at], true);
  }
  return new Uint8Array(output.buffer, 0, length);
}
