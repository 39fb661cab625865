/** The proof that a game is in a public record (docs/fairness.md, part 9). */

import { fromHex, joined, sha256, toHex, utf8 } from "../web_crypto.js";
import { canonical, InvalidExport, need } from "./canonical.js";
import { canCheckSignatures, hasSigned } from "./receipts.js";
import type { Secret } from "./secret.js";
import type { Create, Leaf } from "./shapes.js";

/** The place of a game in a public record. */
export interface Recorded {
  /** The name of the record. */
  origin: string;
  leaf: Leaf["leaf"];
  /** The number of the leaf, from 0. */
  index: bigint;
  /** The leaves under the checkpoint. */
  size: bigint;
  /** Whether the key of the record was given, and has signed the checkpoint: Web Crypto here may lack Ed25519. */
  signature: "checked" | "no key" | "unsupported";
}

/** The facts of a game that is over, from which its leaf follows. */
export interface Facts {
  game: string;
  create: Create;
  entries: number;
  at: string;
  head: string;
  secret: Secret;
}

interface Checkpoint {
  text: string;
  origin: string;
  size: bigint;
  root: string;
  signatures: { key: string; value: Uint8Array<ArrayBuffer> }[];
}

interface Proof {
  index: bigint;
  hashes: Uint8Array[];
  checkpoint: Checkpoint;
}

interface RecordKey {
  name: string;
  key: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const NOT_A_PROOF = "The proof is not in the form of c2sp.org/tlog-proof@v1.";
const NOT_A_CHECKPOINT = "The checkpoint in the proof is malformed.";
const LONGEST_LEAF = 1024; // bytes
const LONGEST_PROOF = 2 ** 20; // bytes
const HASH_BYTES = 32;
const ID_BYTES = 4;
const ED25519 = 1;

/** Check the proofs of a game, in its export and beside it; there has to be one if the verifier key of the record is given. */
export async function checkRecord(facts: Facts | undefined, inside: Leaf | undefined, beside?: string, known?: string): Promise<Recorded | undefined> {
  const key = known === undefined ? undefined : await recordKey(known);
  need(inside || beside !== undefined || !key, "The export has no proof from the record.");
  if (!inside && beside === undefined) return undefined;
  need(facts, "Only a game that is over has a proof from the record.");
  let found: Recorded | undefined;
  if (inside) found = await checkProof(facts, [inside.leaf], inside.proof, key);
  if (beside !== undefined) found = await checkProof(facts, ["game/1", "blind/1"], beside, key);
  return found;
}

async function checkProof(facts: Facts, kinds: Leaf["leaf"][], text: string, key: RecordKey | undefined): Promise<Recorded> {
  const { index, hashes, checkpoint } = parsedProof(text);
  const { origin, size } = checkpoint;
  let leaf: Leaf["leaf"] | undefined;
  for (const kind of kinds) if ((await rootOf({ index, hashes, checkpoint }, await leafOf(facts, kind))) === checkpoint.root) leaf = kind;
  need(leaf, "The proof does not lead from the leaf of this game to the root of the checkpoint.");
  return { origin, leaf, index, size, signature: key ? await checkSignature(checkpoint, key) : "no key" };
}

/** The leaf that a game has in the record. */
export async function leafOf({ game, create, entries, at, head, secret }: Facts, kind: Leaf["leaf"]): Promise<string> {
  const { key, rules, version } = create;
  const leaf = canonical({ at, entries, game, hash: head, key, leaf: "game/1", rules, version });
  need(utf8(leaf).length <= LONGEST_LEAF, `The leaf game/1 has more than ${LONGEST_LEAF} bytes.`);
  return kind === "game/1" ? leaf : canonical({ blind: await secret.blinded(game, leaf), leaf: kind });
}

/** The root to which a proof leads: above the highest bit in which the index differs from that of the last leaf, all
 *  hashes are on the left. */
async function rootOf({ index, hashes, checkpoint }: Proof, leaf: string): Promise<string> {
  const lower = digits(index ^ (checkpoint.size - 1n)).length;
  const due = lower + digits(index >> BigInt(lower)).replace(/0/g, "").length;
  need(hashes.length === due, `The proof has ${hashes.length} hashes, and must have ${due}.`);
  let climbed = await sha256(Uint8Array.of(0), utf8(leaf));
  for (const [level, hash] of hashes.entries()) {
    const isLeft = level >= lower || ((index >> BigInt(level)) & 1n) === 1n;
    const pair = isLeft ? [hash, fromHex(climbed)] : [fromHex(climbed), hash];
    climbed = await sha256(Uint8Array.of(1), ...pair);
  }
  return climbed;
}

/** The binary digits of a number; none of zero. */
const digits = (number: bigint): string => (number === 0n ? "" : number.toString(2));

async function checkSignature({ text, origin, signatures }: Checkpoint, { name, key, bytes }: RecordKey): Promise<Recorded["signature"]> {
  need(origin === name, "The checkpoint is of another record than the given key.");
  const own = signatures.filter((signature) => signature.key === key);
  need(own.length > 0, "The given key of the record has not signed the checkpoint.");
  if (!(await canCheckSignatures())) return "unsupported";
  for (const { value } of own) {
    need(await hasSigned(bytes, utf8(text), value), "The signature of the checkpoint by the given key is false.");
  }
  return "checked";
}

// -- the texts --------------------------------------------------------------------------------------

function parsedProof(text: string): Proof {
  const end = text.indexOf("\n\n");
  need(end >= 0, NOT_A_PROOF);
  const checkpoint = parsedCheckpoint(text.slice(end + 2));
  const [first, ...lines] = text.slice(0, end).split("\n");
  if (lines[0]?.startsWith("extra ")) need(fromBase64((lines.shift() as string).slice("extra ".length), NOT_A_PROOF).length > 0, NOT_A_PROOF);
  const [place, ...rest] = lines;
  need(first === "c2sp.org/tlog-proof@v1" && isShortAndPlain(text) && rest.length <= 63, NOT_A_PROOF);
  need(place !== undefined && place.startsWith("index "), NOT_A_PROOF);
  const index = toNumber(place.slice("index ".length), NOT_A_PROOF);
  const hashes = rest.map((line) => fromBase64(line, NOT_A_PROOF));
  need(hashes.every((hash) => hash.length === HASH_BYTES), NOT_A_PROOF);
  need(index < checkpoint.size, `The proof is of leaf ${index} in a tree of ${checkpoint.size} leaves.`);
  return { index, hashes, checkpoint };
}

const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function parsedCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf("\n\n");
  const lines = note.slice(0, Math.max(end, 0)).split("\n");
  const [origin, count, hash] = lines;
  need(end >= 0 && isShortAndPlain(note) && note.endsWith("\n") && lines.every(Boolean), NOT_A_CHECKPOINT);
  need(origin !== undefined && count !== undefined && hash !== undefined, NOT_A_CHECKPOINT);
  const size = toNumber(count, NOT_A_CHECKPOINT);
  const root = toHex(fromBase64(hash, NOT_A_CHECKPOINT));
  need(root.length === 2 * HASH_BYTES && (size > 0n || root === EMPTY_ROOT), NOT_A_CHECKPOINT);
  const signed = note.slice(end + 2, -1).split("\n");
  need(signed.length <= 100, NOT_A_CHECKPOINT);
  return { text: note.slice(0, end + 1), origin, size, root, signatures: signed.map(parsedSignature) };
}

function parsedSignature(line: string): Checkpoint["signatures"][number] {
  const [, name, text] = /^— ([^+\p{White_Space}]+) (.*)$/u.exec(line) ?? [];
  need(name !== undefined && text !== undefined, NOT_A_CHECKPOINT);
  const raw = fromBase64(text, NOT_A_CHECKPOINT);
  need(raw.length > ID_BYTES, NOT_A_CHECKPOINT);
  return { key: `${name}+${toHex(raw.subarray(0, ID_BYTES))}`, value: raw.slice(ID_BYTES) };
}

/** The verifier key of a record: `name+hash+key`. */
async function recordKey(text: string): Promise<RecordKey> {
  const [, key, name, id, encoded] = /^(([^+]+)\+([0-9a-f]{8}))\+(.*)$/s.exec(text) ?? [];
  const sentence = `${text} is not a verifier key of Ed25519: name+hash+key.`;
  try {
    const raw = fromBase64(encoded ?? "-", sentence);
    const right = (await sha256(utf8(`${name}\n`), raw)).slice(0, 2 * ID_BYTES);
    need(key !== undefined && name !== undefined && right === id && raw[0] === ED25519 && raw.length === 33, sentence);
    return { name, key, bytes: raw.slice(1) };
  } catch (problem) {
    throw new TypeError(sentence, { cause: problem });
  }
}

/** Whether a text is short, and the line feed is its only control character. */
function isShortAndPlain(text: string): boolean {
  return utf8(text).length <= LONGEST_PROOF && !/[\x00-\x09\x0b-\x1f]/.test(text);
}

/** Bytes in base64, which has one form. */
function fromBase64(text: string, sentence: string): Uint8Array<ArrayBuffer> {
  let letters: string;
  try {
    letters = atob(text);
  } catch {
    throw new InvalidExport(sentence);
  }
  need(btoa(letters) === text, sentence);
  return joined(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}

function toNumber(text: string, sentence: string): bigint {
  need(/^(0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) < 1n << 63n, sentence);
  return BigInt(text);
}
