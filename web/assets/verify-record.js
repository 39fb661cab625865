/** The proof that a game is in a public record (docs/fairness.md, part 9): the leaf of the game is made here, and the
 *  proof has to lead from it to the root of the checkpoint. */

import { hmac, joined, sha256, toHex, utf8 } from "./digest.js";
import { canonical, need, Wrong } from "./verify-shapes.js";

const LONGEST = 2 ** 20; // bytes of a proof
const EMPTY = toHex(sha256(new Uint8Array(0)));

/** @param {string} text @param {string} reason */
function fromBase64(text, reason) {
  try {
    const letters = atob(text);
    need(btoa(letters) === text, reason);
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  } catch {
    throw new Wrong(reason);
  }
}

/** @param {string} text @param {string} reason */
function toNumber(text, reason) {
  need(/^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n, reason);
  return BigInt(text);
}

/** @param {string} text */
const isPlain = (text) => utf8(text).length <= LONGEST && !/[\x00-\x09\x0b-\x1f]/.test(text);

/** @param {bigint} number */
const digits = (number) => (number ? number.toString(2) : "");

/** The note of a record's name, size and root. @param {string} note */
function checkpointOf(note) {
  const reason = "not a checkpoint";
  const at = note.lastIndexOf("\n\n");
  const lines = note.slice(0, Math.max(0, at)).split("\n");
  const isEnded = note.endsWith("\n");
  need(at >= 0 && isPlain(note) && isEnded && lines.length >= 3 && lines.every(Boolean), reason);
  const [origin, count, hash] = /** @type {[string, string, string]} */ (/** @type {unknown} */ (lines));
  const size = toNumber(count, reason);
  const root = toHex(fromBase64(hash, reason));
  need(root.length === 64 && (size || root === EMPTY), reason);
  const signed = note.slice(at + 2, -1).split("\n");
  need(signed.length <= 100, reason);
  const signatures = signed.map((line) => {
    const [, name, text] = /^— ([^+\p{White_Space}]+) (.*)$/u.exec(line) ?? [];
    const raw = fromBase64(text ?? "-", reason);
    need(raw.length > 4, reason);
    return { key: `${name}+${toHex(raw.subarray(0, 4))}`, value: raw.subarray(4) };
  });
  return { text: note.slice(0, at + 1), origin, size, root, signatures };
}

/** @param {string} text */
function proofOf(text) {
  const reason = "not a proof";
  const at = text.indexOf("\n\n");
  need(at >= 0, reason);
  const checkpoint = checkpointOf(text.slice(at + 2));
  const [first, ...lines] = text.slice(0, at).split("\n");
  if (lines[0]?.startsWith("extra ")) need(fromBase64(lines[0].slice(6), reason).length && lines.shift(), reason);
  const [place = "", ...hashes] = lines;
  const isOurs = first === "c2sp.org/tlog-proof@v1" && place.startsWith("index ");
  need(isOurs && isPlain(text) && hashes.length <= 63, reason);
  const index = toNumber(place.slice(6), reason);
  const path = hashes.map((line) => fromBase64(line, reason));
  need(path.every((hash) => hash.length === 32), reason);
  need(index < checkpoint.size, "beyond the tree");
  return { index, path, checkpoint };
}

/** The root to which a proof leads. @param {{index: bigint, path: Uint8Array[], checkpoint: {size: bigint}}} proof @param {string} leaf */
function rootOf({ index, path, checkpoint }, leaf) {
  const lower = digits(index ^ (checkpoint.size - 1n)).length;
  const ones = digits(index >> BigInt(lower)).replaceAll("0", "").length;
  need(path.length === lower + ones, "wrong number of hashes");
  let climbed = sha256(joined(Uint8Array.of(0), leaf));
  path.forEach((hash, level) => {
    const isLeft = level >= lower || (index >> BigInt(level)) & 1n;
    climbed = sha256(isLeft ? joined(Uint8Array.of(1), hash, climbed) : joined(Uint8Array.of(1), climbed, hash));
  });
  return toHex(climbed);
}

/** The leaf of a game that is over. @param {any} game @param {string} kind */
export function leafOf({ header, table, entries, hashes }, kind) {
  const { key, rules, version } = table.create;
  const { game } = header;
  const leaf = canonical({ at: entries.at(-1).at, entries: entries.length, game, hash: hashes.at(-1), key, leaf: "game/1", rules, version });
  need(utf8(leaf).length <= 1024, "a long leaf");
  if (kind === "game/1") return leaf;
  const blinding = hmac(table.secret, utf8(canonical(["tabularium/blind/1", game])));
  return canonical({ blind: toHex(hmac(blinding, utf8(leaf))), leaf: kind });
}

/** A verifier key: its name and hash, and the public key; null if the text is none. @param {string} text */
export function verifierKey(text) {
  const [, key, name, id, encoded] = /^(([^+]+)\+([0-9a-f]{8}))\+(.*)$/s.exec(text) ?? [];
  try {
    const raw = fromBase64(encoded ?? "-", "");
    const right = toHex(sha256(joined(name ?? "", "\n", raw))).slice(0, 8);
    return right === id && raw[0] === 1 && raw.length === 33 ? { key, name, raw: raw.subarray(1) } : null;
  } catch {
    return null;
  }
}

/**
 * Check the proof in an export, or one beside it, and its checkpoint by the verifier key of the record, if there is one.
 * @param {any} game
 * @param {string | null} beside
 * @param {string} [known]
 * @param {((key: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>) | null} [isGenuine] null where it cannot be checked
 */
export async function checkProof({ record, ...game }, beside, known, isGenuine = null) {
  need(record || beside || !known, "no proof");
  if (!record && !beside) return null;
  const proof = proofOf(record ? record.proof : beside);
  const { origin, size, root, signatures, text } = proof.checkpoint;
  const kinds = record ? [record.leaf] : ["game/1", "blind/1"];
  const leaf = kinds.find((kind) => rootOf(proof, leafOf(game, kind)) === root);
  need(leaf, "another root");
  const found = { leaf, origin, index: `${proof.index}`, size: `${size}`, root };
  if (!known) return { ...found, isSigned: false };
  const key = verifierKey(known);
  if (key === null) throw new TypeError("not a verifier key");
  need(origin === key.name, "another record");
  const own = signatures.filter((signature) => signature.key === key.key);
  need(own.length > 0, "unsigned");
  for (const { value } of own) need(!isGenuine || (await isGenuine(key.raw, utf8(text), value)), "false signature");
  return { ...found, isSigned: isGenuine !== null };
}
