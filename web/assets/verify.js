/** The second verifier, written from docs/fairness.md alone: whether an export is good, as far as that can
 *  be said without the rules of its game. It runs in the page, and in Node with the tests. */

import { fromHex, hmac, joined, shake256, utf8 } from "./digest.js";
import { canonical, fits, has, isObject, KINDS, need, ONLY_IN_2, parsed, Wrong } from "./verify-shapes.js";
import { checkProof } from "./verify-record.js";
import { hash, Table } from "./verify-table.js";

/** The checks, in the order in which they are made; a refusal names the one that failed.
 *  @type {(keyof typeof import("./strings/verify.js").VERIFY.checks)[]} */
export const CHECKS = ["form", "chain", "table", "secret", "seals", "draws", "receipts", "record"];

/** @typedef {Awaited<ReturnType<typeof signatureCheck>>} Check */

const SLICE = 10; // milliseconds of work before others have a turn

// -- 2. what follows from the secret --------------------------------------------------------------

/** @param {Uint8Array} secret @param {any[]} message */
const mac = (secret, message) => hmac(secret, utf8(canonical(message)));

/** The fair numbers below the limits. @param {Uint8Array} key @param {string} game @param {number} seq @param {number[]} limits */
export function* drawn(key, game, seq, limits) {
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(seq));
  const start = joined("tabularium/draw/1", key, game, new Uint8Array(number.buffer));
  /** @param {number} length */
  const stream = (length) => new DataView(shake256(start, length).buffer);
  let length = 136;
  let words = stream(length);
  let used = 0;
  for (const limit of limits.map(BigInt)) {
    const fair = 2n ** 64n - (2n ** 64n % limit);
    let word = fair;
    while (word >= fair) {
      if (used === length) words = stream((length *= 2));
      word = words.getBigUint64(used);
      used += 8;
    }
    yield Number(word % limit);
  }
}

// -- 3, 6. the file -------------------------------------------------------------------------------

export class Game {
  constructor() {
    /** @type {any} */ this.header = null;
    /** @type {any} */ this.trailer = null;
    /** @type {any} */ this.table = null;
    /** @type {any} */ this.record = null;
    /** @type {any[]} */ this.entries = [];
    /** @type {string[]} */ this.hashes = [];
    /** @type {Map<number, any>} */ this.fields = new Map();
    /** @type {Map<number, any>} */ this.salts = new Map();
    this.reveals = 0;
    this.lines = 0;
    /** @type {number | null} */ this.seq = null; // of the entry that is being checked
    this.check = "form";
    this.seals = 0;
    this.draws = 0;
  }

  /** @param {Uint8Array} line */
  read(line) {
    this.lines += 1;
    this.check = "form";
    this.seq = null;
    const document = parsed(line);
    if (this.trailer !== null) return this.readRecord(document);
    need(isObject(document), "misplaced line");
    if (this.header === null) {
      need(fits(document, "header"), "not a header");
      this.header = document;
    } else if (has(document, "reveal")) this.readReveal(document);
    else if (has(document, "trailer")) this.readTrailer(document);
    else this.readEntry(document, line.subarray(0, -1));
  }

  /** @param {any} entry @param {Uint8Array} text */
  readEntry(entry, text) {
    this.seq = this.entries.length + 1;
    need(this.reveals === 0 && fits(entry, "entry"), "not an entry");
    need(Object.values(entry.sealed).every(KINDS.hash), "not a seal");
    this.check = "chain";
    need(entry.seq === this.seq && entry.game === this.header.game, "wrong entry");
    need(entry.prev === (this.hashes.at(-1) ?? "0".repeat(64)), "the chain is broken");
    if (this.seq > 1) need(entry.at >= this.entries[this.seq - 2].at, "earlier than the entry before");
    this.check = "table";
    if (this.seq === 1) this.create(entry);
    else this.table.follow(entry);
    this.entries.push(entry);
    this.hashes.push(hash("tabularium/entry/1", text));
  }

  /** @param {any} entry */
  create({ seat, action, sealed, game, at }) {
    need(seat === null && Object.keys(sealed).length === 0, "entry 1 has a seat or seals");
    need(action !== null && action.type === "table.create" && fits(action, "table.create"), "not a table.create");
    for (const name of ["rules", "version", "seats", "key"]) need(action[name] === this.header[name], "another header");
    this.table = new Table(game, action, at);
  }

  /** @param {any} document */
  readReveal(document) {
    need(Object.keys(document).length === 1 && fits(document.reveal, "reveal"), "not a reveal");
    const first = this.reveals * 1000 + 1;
    const last = Math.min(first + 999, this.entries.length);
    need(first <= last, "too many lines of the reveal");
    need((document.reveal.salts === null) === this.isOver, "superfluous or missing salts");
    for (const [part, all] of [[document.reveal.fields, this.fields], [document.reveal.salts ?? {}, this.salts]]) {
      for (const [seq, values] of Object.entries(part)) {
        need(/^[1-9]\d*$/.test(seq) && Number(seq) >= first && Number(seq) <= last, "misplaced entry in the reveal");
        need(isObject(values) && Object.keys(values).length > 0, "not a set of fields");
        all.set(Number(seq), values);
      }
    }
    this.reveals += 1;
  }

  /** @param {any} document */
  readTrailer(document) {
    need(Object.keys(document).length === 1 && fits(document.trailer, "trailer"), "not a trailer");
    const count = this.entries.length;
    need(count > 0 && this.reveals === Math.ceil(count / 1000), "a line of the reveal is missing");
    const { tabularium } = this.header;
    need(tabularium !== "export/3" || this.isOver, "a proof of a running game");
    need(tabularium === "export/3" || this.table.isSecond === (tabularium === "export/2"), "another format");
    need(document.trailer.count === count && document.trailer.head === this.hashes.at(-1), "wrong count or head");
    this.trailer = document.trailer;
  }

  /** @param {any} document */
  readRecord(document) {
    need(this.header.tabularium === "export/3" && this.record === null, "misplaced line");
    need(isObject(document) && Object.keys(document).length === 1 && fits(document.record, "record"), "not a record");
    this.record = document.record;
  }

  get isOver() {
    return this.table.phase === "over";
  }

  // -- 4, 8. seals and draws ----------------------------------------------------------------------

  /** The key of all draws, once the secret is open. */
  drawKey() {
    return this.isOver ? mac(this.table.secret, ["tabularium/key/1", this.header.game, this.table.seeds]) : null;
  }

  /** @param {any} entry @param {Uint8Array | null} key */
  checkFields({ seq, sealed }, key) {
    this.seq = seq;
    this.check = "seals";
    const told = this.fields.get(seq) ?? {};
    const salts = this.salts.get(seq) ?? {};
    const names = canonical(Object.keys(told).sort());
    need(names === canonical(Object.keys(key ? sealed : salts).sort()), "wrong fields are revealed");
    for (const [path, value] of Object.entries(told)) {
      need(key || (path !== "/draws" && KINDS.hash(salts[path])), "revealed too early, or a malformed salt");
      const salt = key ? mac(this.table.secret, ["tabularium/salt/1", this.header.game, seq, path]) : fromHex(salts[path]);
      need(has(sealed, path) && hash(salt, canonical([path, value])) === sealed[path], "a value does not match its seal");
      this.seals += 1;
    }
    if (key && has(told, "/draws")) this.checkDraws(told["/draws"], key, seq);
    if (key && has(told, "/action")) {
      const { type } = isObject(told["/action"]) ? told["/action"] : { type: null };
      need(typeof type === "string" && type.startsWith(`${this.header.rules}.`), "not an action of this game");
    }
  }

  /** @param {any} draws @param {Uint8Array} key @param {number} seq */
  checkDraws(draws, key, seq) {
    this.check = "draws";
    need(Array.isArray(draws) && draws.every((pair) => fits(pair, "size*") && pair.length === 2 && pair[1] > 0), "not draws");
    const fair = [...drawn(key, this.header.game, seq, draws.map(([, limit]) => limit))];
    need(draws.every(([value], index) => value === fair[index]), "a draw is not the fair one");
    need(draws.length === 0 || !this.table.undone.includes(seq), "draws were taken back");
    this.draws += draws.length;
    this.check = "seals";
  }

  // -- 7. receipts --------------------------------------------------------------------------------

  /** Whether the signatures could be checked: null where there are none to check. @param {boolean} isUnsigned @param {Check} genuine */
  async checkReceipts(isUnsigned, genuine) {
    this.check = "receipts";
    this.seq = null;
    const count = this.entries.length;
    const due = [...Array(Math.floor(count / 100)).keys()].map((number) => 100 * (number + 1));
    if (due.at(-1) !== count) due.push(count);
    const { receipts } = this.trailer;
    if (isUnsigned && receipts.length === 0) return null;
    need(receipts.length > 0, "no receipts");
    need(canonical(receipts.map((/** @type {any} */ receipt) => receipt.seq)) === canonical(due), "wrong receipts");
    for (const receipt of receipts) {
      this.seq = receipt.seq;
      need(receipt.game === this.header.game && receipt.key === this.header.key, "wrong game or key");
      need(receipt.hash === this.hashes[receipt.seq - 1], "wrong signed hash");
      need(!genuine || (await genuine(fromHex(receipt.key), signedBy(receipt), fromHex(receipt.signature))), "invalid signature");
    }
    return genuine !== null;
  }
}

/** The check of an Ed25519 signature, or null where this browser has none: by http:// it has no `crypto.subtle`. */
async function signatureCheck() {
  const subtle = globalThis.crypto?.subtle;
  try {
    await subtle.importKey("raw", new Uint8Array(32), "Ed25519", false, ["verify"]);
  } catch (problem) {
    if (!subtle || /** @type {Error} */ (problem).name === "NotSupportedError") return null;
  }
  return async (/** @type {Uint8Array} */ key, /** @type {Uint8Array} */ message, /** @type {Uint8Array} */ signature) => {
    try {
      const publicKey = await subtle.importKey("raw", /** @type {BufferSource} */ (key), "Ed25519", false, ["verify"]);
      return await subtle.verify("Ed25519", publicKey, /** @type {BufferSource} */ (signature), /** @type {BufferSource} */ (message));
    } catch {
      return false;
    }
  };
}

/** The message that a receipt signs. @param {any} receipt */
const signedBy = ({ game, hash: head, seq }) => joined("tabularium/receipt/1", canonical({ game, hash: head, seq }));

// -- the verdict ----------------------------------------------------------------------------------

/**
 * Verify an export, in slices that leave time for the page.
 * @param {Iterable<Uint8Array>} lines
 * @param {{game?: Game, isUnsigned?: boolean, record?: string, proof?: (game: string) => Promise<string | null>, pause?: () => Promise<void> | null}} [how]
 *   `record`: the verifier key of the public record; `proof`: finds a proof beside the export of a game that is over
 * @returns {Promise<any>} what was found, or the first refusal
 */
export async function verify(lines, { game = new Game(), isUnsigned = false, record = "", proof = async () => null, pause = slices() } = {}) {
  try {
    for (const line of lines) {
      game.read(line);
      const turn = pause();
      if (turn) await turn;
    }
    game.check = "form";
    need(game.trailer !== null, "truncated file");
    need(game.record !== null || game.header.tabularium !== "export/3", "no record line");
    const key = game.drawKey();
    for (const entry of game.entries) {
      game.checkFields(entry, key);
      const turn = pause();
      if (turn) await turn;
    }
    const genuine = await signatureCheck();
    const isSigned = await game.checkReceipts(isUnsigned, genuine);
    game.check = "record";
    game.seq = null;
    const beside = game.isOver && game.record === null ? await proof(game.header.game) : null;
    return found(game, isSigned, await checkProof(game, beside, record, genuine));
  } catch (problem) {
    return refusal(game, problem);
  }
}

/** @param {Game} game @param {boolean | null} isSigned @param {any} recorded */
function found({ header, table, entries, hashes, seals, draws, trailer, isOver }, isSigned, recorded) {
  const people = entries.filter(({ action }) => ONLY_IN_2.includes(action?.type)).length;
  const { result = null } = isOver ? entries.at(-1).action : {};
  const { length: receipts } = trailer.receipts;
  const { game, rules, key, viewer } = header;
  const { level, seeds } = table;
  const counts = { entries: entries.length, seals, draws, people, receipts };
  return { ok: true, game, rules, key, viewer, level, seeds, isOver, result, isSigned, recorded, hashes, head: hashes.at(-1), ...counts };
}

/** @param {Game} game @param {unknown} problem */
function refusal({ check, lines: last, seq, trailer, record }, problem) {
  const lines = check === "receipts" && record ? last - 1 : last;
  if (problem instanceof RangeError) return { ok: false, reason: "too deep", check, line: lines, seq }; // nested beyond the stack
  if (!(problem instanceof Wrong)) throw problem;
  const line = trailer === null || seq === null || check === "receipts" ? lines : seq + 1;
  return { ok: false, reason: problem.message, check: problem.check ?? check, line: Math.max(1, line), seq };
}

/** Pauses after slices of work. */
export function slices() {
  let end = performance.now() + SLICE;
  return () => (performance.now() < end ? null : turn().then(() => void (end = performance.now() + SLICE)));
}

/** After a message, all others have had their turn; timers are slow in pages that are not seen. @returns {Promise<void>} */
function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The lines of a file, each with its line feed. @param {Uint8Array} file */
export function* linesOf(file) {
  for (let first = 0; first < file.length; ) {
    const end = file.indexOf(0x0a, first);
    const next = end === -1 ? file.length : end + 1;
    yield file.subarray(first, next);
    first = next;
  }
}
