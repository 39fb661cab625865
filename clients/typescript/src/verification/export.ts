/** Offline verification of an exported game, by docs/fairness.md. */

import { fromHex, sha256, utf8 } from "../web_crypto.js";
import { InvalidExport, need, parsed, type Json, type JsonObject } from "./canonical.js";
import { canCheckSignatures, isGenuine } from "./receipts.js";
import { checkRecord, type Facts, type Recorded } from "./record.js";
import { drawn, seal } from "./secret.js";
import { fits, isObject, shaped, type Create, type Header, type Leaf, type LogEntry, type SignedHead, type Trailer } from "./shapes.js";
import { Table } from "./table.js";

export { InvalidExport } from "./canonical.js";
export type { Recorded } from "./record.js";

/** What a good export proves. That the actions were legal is not checked: that needs the rules. */
export interface Verdict {
  game: string;
  rules: string;
  version: number;
  viewer: string;
  /** The server's public key. */
  key: string;
  entries: number;
  /** The hash of the last entry. */
  head: string;
  isOver: boolean;
  /** Who chose the chance: 1, the server; 2, the server and all players; 0 before the start. */
  level: 0 | 1 | 2;
  /** How many hidden fields were opened, each with its seal. */
  opened: number;
  /** Whether signatures were checked: there may be none, or Web Crypto here may lack Ed25519. */
  signatures: "checked" | "none" | "unsupported";
  /** The place of the game in a public record, if there is a proof of it. */
  recorded: Recorded | undefined;
}

export interface VerifyOptions {
  /** Receipts that were kept while playing. */
  receipts?: readonly SignedHead[];
  /** The server's public key from another source, in hex. */
  key?: string;
  /** Accept a game whose receipts were lost. */
  unsigned?: boolean;
  /** The verifier key of the public record that must have the game, from another source: `name+hash+key`. */
  record?: string;
  /** A proof from the record beside the export: the text of the operation `record_proof`. */
  proof?: string;
}

const REVEALED = 1000; // entries to a line of the reveal
const SIGNED = 100; // every so many entries the head is signed
const LINE_FEED = 0x0a;

/** Check an export; throws InvalidExport, with the first line or entry that is wrong. */
export async function verifyExport(file: Uint8Array | string, options: VerifyOptions = {}): Promise<Verdict> {
  const reader = new ExportReader();
  let number = 0;
  for (const line of linesOf(typeof file === "string" ? utf8(file) : file)) {
    number += 1;
    await at({ line: number }, () => reader.read(line));
  }
  const whole = reader.whole();
  const opened = await checkFields(whole);
  const signatures = await checkReceipts(whole, options);
  const line = whole.record && { line: number };
  const recorded = await at(line ?? {}, () => checkRecord(factsOf(whole), whole.record, options.proof, options.record));
  const { game, rules, version, viewer, key } = whole.header;
  const { phase, level } = whole.table;
  const head = whole.hashes[whole.hashes.length - 1] as string;
  return { game, rules, version, viewer, key, entries: whole.hashes.length, head, isOver: phase === "over", level, opened, signatures, recorded };
}

/** The facts of a game that is over, from which its leaf follows. */
function factsOf({ header, table, entries, hashes }: Whole): Facts | undefined {
  if (!table.secret) return undefined;
  const [first, last] = [entries[0] as LogEntry, entries[entries.length - 1] as LogEntry];
  const head = hashes[hashes.length - 1] as string;
  const create = first.action as unknown as Create;
  return { game: header.game, create, entries: entries.length, at: last.at, head, secret: table.secret };
}

function* linesOf(file: Uint8Array): Generator<Uint8Array> {
  for (let first = 0; first < file.length; ) {
    const end = file.indexOf(LINE_FEED, first);
    const next = end === -1 ? file.length : end + 1;
    yield file.subarray(first, next);
    first = next;
  }
}

/** Do the work; a flaw is one of this place. */
async function at<T>(place: { line?: number; seq?: number }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof InvalidExport)) throw problem;
    throw new InvalidExport(problem.sentence, place);
  }
}

// -- 3, 6. the file ---------------------------------------------------------------------------------

interface Whole {
  header: Header;
  table: Table;
  entries: LogEntry[];
  hashes: string[];
  fields: Map<number, JsonObject>;
  salts: Map<number, JsonObject>;
  trailer: Trailer;
  record: Leaf | undefined;
}

class ExportReader {
  private header: Header | undefined;
  private table: Table | undefined;
  private trailer: Trailer | undefined;
  private record: Leaf | undefined;
  private reveals = 0;
  private readonly entries: LogEntry[] = [];
  private readonly hashes: string[] = [];
  private readonly fields = new Map<number, JsonObject>();
  private readonly salts = new Map<number, JsonObject>();

  /** All of it, when its last line has been read. */
  whole(): Whole {
    const { header, table, entries, hashes, fields, salts, trailer, record } = this;
    need(header && table && trailer, "The file is truncated: the trailer is missing.");
    need(record || header.tabularium !== "export/3", "The file is truncated: the proof from the record is missing.");
    return { header, table, entries, hashes, fields, salts, trailer, record };
  }

  /** Add a line. */
  async read(line: Uint8Array): Promise<void> {
    const document = parsed(line);
    if (this.trailer !== undefined) return this.readRecord(document);
    need(isObject(document), "A line must hold an object.");
    if (this.header === undefined) this.header = shaped<Header>(document, "header");
    else if (Object.hasOwn(document, "reveal")) this.readReveal(document);
    else if (Object.hasOwn(document, "trailer")) this.readTrailer(document);
    else await this.readEntry(this.header, document, line.subarray(0, -1));
  }

  private async readEntry(header: Header, document: Json, text: Uint8Array): Promise<void> {
    const seq = this.hashes.length + 1;
    need(this.reveals === 0, "An entry follows the reveal.");
    const entry = shaped<LogEntry>(document, "entry");
    need(Object.values(entry.sealed).every((value) => fits(value, "hash")), "A seal is malformed.");
    need(entry.seq === seq, `Entry ${seq} is missing: its place holds entry ${entry.seq}.`);
    need(entry.game === header.game, "The entry belongs to another game.");
    const previous = this.hashes[seq - 2] ?? "0".repeat(64);
    need(entry.prev === previous, `\`prev\` is not the hash of entry ${seq - 1}: one of them was altered.`);
    if (this.table === undefined) {
      this.table = tableOf(header, entry);
    } else {
      need(entry.at >= (this.entries[seq - 2] as LogEntry).at, "The entry is earlier than the one before it.");
      await this.table.follow(entry);
    }
    this.hashes.push(await sha256(utf8("tabularium/entry/1"), text));
    this.entries.push(entry);
  }

  private readReveal(document: JsonObject): void {
    need(Object.keys(document).length === 1 && this.table !== undefined, "This is not a reveal.");
    const reveal = shaped<{ fields: JsonObject; salts: JsonObject | null }>(document["reveal"], "reveal");
    const first = this.reveals * REVEALED + 1;
    const last = Math.min(first + REVEALED - 1, this.hashes.length);
    need(first <= last, "The reveal has more lines than needed.");
    need((reveal.salts === null) === (this.table.phase === "over"), "Salts are revealed only while a game is running.");
    for (const [part, all] of [[reveal.fields, this.fields], [reveal.salts ?? {}, this.salts]] as const) {
      for (const [seq, values] of Object.entries(part)) {
        const isHere = /^[1-9]\d*$/.test(seq) && Number(seq) >= first && Number(seq) <= last;
        need(isHere, `Entry ${seq} does not belong in this line of the reveal.`);
        need(isObject(values) && Object.keys(values).length > 0, "This is not a set of fields.");
        all.set(Number(seq), values);
      }
    }
    this.reveals += 1;
  }

  private readTrailer(document: JsonObject): void {
    need(Object.keys(document).length === 1, "This is not a trailer.");
    const count = this.hashes.length;
    need(count > 0 && this.reveals === Math.ceil(count / REVEALED), "The reveal is missing or incomplete.");
    const trailer = shaped<Trailer>(document["trailer"], "trailer");
    need(trailer.count === count, `There are ${count} entries, not ${trailer.count}.`);
    const format = this.header?.tabularium;
    need(format !== "export/3" || this.table?.phase === "over", "Only a game that is over has a proof from the record.");
    need(format === "export/3" || this.table?.isSecondFormat === (format === "export/2"), "The header does not name the format of the entries.");
    need(trailer.head === this.hashes[count - 1], "The head is not the hash of the last entry: one of them was altered.");
    this.trailer = trailer;
  }

  private readRecord(document: Json): void {
    need(this.header?.tabularium === "export/3" && !this.record, "Nothing may follow the trailer.");
    const isOurs = isObject(document) && Object.keys(document).length === 1 && fits(document["record"], "record");
    need(isOurs, "This is not a line with a proof from the record.");
    this.record = document["record"] as unknown as Leaf;
  }
}

/** The table of entry 1, which must agree with the header. */
function tableOf(header: Header, entry: LogEntry): Table {
  const create = shaped<Create>(entry.action, "table.create");
  need(create.type === "table.create", "The first entry must create the table.");
  need(entry.seat === null && Object.keys(entry.sealed).length === 0, "Entry 1 must have no seat and no seals.");
  for (const name of ["rules", "version", "seats", "key"] as const) {
    need(create[name] === header[name], `The header and entry 1 differ in ${name}.`);
  }
  return new Table(entry.game, create, Date.parse(entry.at));
}

// -- 4. seals and draws -----------------------------------------------------------------------------

/** Check that every revealed field is the one that was sealed; the number of them. */
async function checkFields(whole: Whole): Promise<number> {
  const { secret, seeds } = whole.table;
  const { game, rules } = whole.header;
  const key = await secret?.drawKey(game, seeds);
  let opened = 0;
  for (const entry of whole.entries) {
    const values = whole.fields.get(entry.seq) ?? {};
    await at({ seq: entry.seq }, async () => {
      await checkSeals(whole, entry, values);
      if (key && Object.hasOwn(values, "/draws")) {
        checkDraws(key, game, entry.seq, values["/draws"] as Json);
        const isTakenBack = whole.table.agreements.undone.includes(entry.seq);
        need(!isTakenBack || (values["/draws"] as Json[]).length === 0, "An action with draws was taken back.");
      }
      if (key && Object.hasOwn(values, "/action")) checkHidden(rules, values["/action"] as Json);
    });
    opened += Object.keys(values).length;
  }
  return opened;
}

async function checkSeals({ table, header, salts }: Whole, { seq, sealed }: LogEntry, values: JsonObject): Promise<void> {
  const { secret } = table;
  const given = salts.get(seq) ?? {};
  const names = Object.keys(values).sort().join("\n");
  if (secret) need(names === Object.keys(sealed).sort().join("\n"), "The revealed fields are not the sealed fields of this entry.");
  else need(names === Object.keys(given).sort().join("\n"), "The revealed salts do not match the revealed fields.");
  need(secret || !Object.hasOwn(values, "/draws"), "Draws are revealed while the game is running.");
  for (const [path, value] of Object.entries(values)) {
    need(secret || fits(given[path], "hash"), `The salt of ${path} is malformed.`);
    const salt = secret ? await secret.salt(header.game, seq, path) : fromHex(given[path] as string);
    const isSealed = Object.hasOwn(sealed, path) && (await seal(salt, path, value)) === sealed[path];
    need(isSealed, `${path} does not match its seal.`);
  }
}

function checkDraws(key: Uint8Array, game: string, seq: number, draws: Json): void {
  need(Array.isArray(draws), "The draws are not a list.");
  const arePairs = draws.every((pair) => fits(pair, "size*") && (pair as number[]).length === 2 && (pair as number[])[1] !== 0);
  need(arePairs, "The draws are not pairs of numbers.");
  const pairs = draws as [value: number, limit: number][];
  const fair = drawn(key, game, seq, pairs.map(([, limit]) => limit));
  for (const [index, [value, limit]] of pairs.entries()) {
    const right = fair.next().value as number;
    need(value === right, `Draw ${index + 1} is ${value} of ${limit}; the fair draw is ${right}.`);
  }
}

/** Check that an action sealed as a whole is one of the game's own. */
function checkHidden(rules: string, action: Json): void {
  const type = isObject(action) ? action["type"] : null;
  need(typeof type === "string" && type.startsWith(`${rules}.`), "This is not an action of this game.");
}

// -- 7. receipts ------------------------------------------------------------------------------------

/** Check the receipts of the trailer and those that were kept. */
async function checkReceipts(whole: Whole, options: VerifyOptions): Promise<Verdict["signatures"]> {
  const { header, trailer, hashes } = whole;
  const isChecked = await canCheckSignatures();
  const check = isChecked ? isGenuine : async () => true;
  const kept = (options.receipts ?? []).map((receipt) => shaped<SignedHead>({ ...receipt }, "receipt")).filter((receipt) => receipt.game === header.game);
  await checkAgreement(kept, check);
  need(options.key === undefined || options.key === header.key, "The game was not signed with the given key.");
  if (trailer.receipts.length > 0 || !options.unsigned) {
    const due = new Set([...hashes.keys()].map((index) => index + 1).filter((seq) => seq % SIGNED === 0 || seq === hashes.length));
    const isDue = trailer.receipts.map(({ seq }) => seq).join() === [...due].join();
    need(isDue, "The receipts in the trailer are not the required ones.");
  }
  const all = [...trailer.receipts, ...kept];
  for (const receipt of all) await at({ seq: receipt.seq }, () => checkReceipt(whole, receipt, check));
  if (all.length === 0) return "none";
  return isChecked ? "checked" : "unsupported";
}

async function checkReceipt(whole: Whole, receipt: SignedHead, check: (one: SignedHead) => Promise<boolean>): Promise<void> {
  const { header, hashes, table } = whole;
  const { game, key, seq, hash } = receipt;
  need(game === header.game, "A receipt is for another game.");
  need(key === header.key, "A receipt is signed with another key.");
  need(await check(receipt), "A receipt has an invalid signature.");
  need(seq <= hashes.length || table.phase !== "over", "The server signed an entry after the end of this log.");
  const isSame = seq > hashes.length || hash === hashes[seq - 1];
  need(isSame, "The server signed another hash for this entry: the log was changed afterwards.");
}

/** Two genuine receipts for one entry that disagree convict the server without any log. */
async function checkAgreement(kept: readonly SignedHead[], check: (one: SignedHead) => Promise<boolean>): Promise<void> {
  const seen = new Map<number, string>();
  for (const receipt of kept) {
    if (!(await check(receipt))) continue;
    const known = seen.get(receipt.seq) ?? receipt.hash;
    seen.set(receipt.seq, known);
    const sentence = "Two receipts for this entry disagree: the server signed two versions.";
    if (known !== receipt.hash) throw new InvalidExport(sentence, { seq: receipt.seq });
  }
}
