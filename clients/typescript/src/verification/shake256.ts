/** SHAKE-256 (FIPS 202), which Web Crypto does not have. */

const RATE = 136; // bytes of a block
const ROUNDS = 24;
const WORD = (1n << 64n) - 1n;
const SUFFIX = 0x1f; // of an extendable output, with the first bit of the padding
const LAST_BIT = 0x80;

/** The constants of the rounds and the rotations of the lanes, as the standard derives them. */
const CONSTANTS: bigint[] = [];
const ROTATIONS: bigint[] = Array<bigint>(25).fill(0n);
const TARGETS: number[] = Array<number>(25).fill(0); // of each lane, in the step pi

function derive(): void {
  let register = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if (register & 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    CONSTANTS.push(constant);
  }
  for (let step = 0, x = 1, y = 0; step < ROUNDS; step += 1) {
    ROTATIONS[x + 5 * y] = BigInt((((step + 1) * (step + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  for (let lane = 0; lane < 25; lane += 1) {
    const [x, y] = [lane % 5, Math.floor(lane / 5)];
    TARGETS[lane] = y + 5 * ((2 * x + 3 * y) % 5);
  }
}
derive();

function rotated(lane: bigint, by: bigint): bigint {
  return ((lane << by) | (lane >> (64n - by))) & WORD;
}

/** Keccak-f[1600]. */
function permute(lanes: BigUint64Array): void {
  const at = (index: number) => lanes[index] as bigint;
  for (const constant of CONSTANTS) {
    const columns = [0, 1, 2, 3, 4].map((x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20));
    const moved = new BigUint64Array(25);
    for (let lane = 0; lane < 25; lane += 1) {
      const mixed = at(lane) ^ (columns[(lane + 4) % 5] as bigint) ^ rotated(columns[(lane + 1) % 5] as bigint, 1n);
      moved[TARGETS[lane] as number] = rotated(mixed, ROTATIONS[lane] as bigint);
    }
    for (let lane = 0; lane < 25; lane += 1) {
      const row = lane - (lane % 5);
      const [next, afterNext] = [moved[row + ((lane + 1) % 5)] as bigint, moved[row + ((lane + 2) % 5)] as bigint];
      lanes[lane] = (moved[lane] as bigint) ^ (~next & WORD & afterNext);
    }
    lanes[0] = at(0) ^ constant;
  }
}

/** The output in blocks of 136 bytes, without end. */
export function* shake256(message: Uint8Array): Generator<Uint8Array> {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = SUFFIX;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | LAST_BIT;
  const input = new DataView(padded.buffer);
  const lanes = new BigUint64Array(25);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let lane = 0; lane < RATE / 8; lane += 1) {
      lanes[lane] = (lanes[lane] as bigint) ^ input.getBigUint64(block + 8 * lane, true);
    }
    permute(lanes);
  }
  for (;;) {
    const output = new DataView(new ArrayBuffer(RATE));
    for (let lane = 0; lane < RATE / 8; lane += 1) output.setBigUint64(8 * lane, lanes[lane] as bigint, true);
    yield new Uint8Array(output.buffer);
    permute(lanes);
  }
}
