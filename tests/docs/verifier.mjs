// A second verifier, written from docs/fairness.md alone: does the page suffice, and do two
// strangers come to the same verdict? `node verifier.mjs game.ndjson [mutations.ndjson]` prints a
// line of JSON for the game, or one for each of its mutations.

import { createHash, createHmac, createPublicKey, verify as isSigned } from "node:crypto";
import { readFileSync } from "node:fs";

class Wrong extends Error {}

function need(condition, sentence) {
  if (!condition) throw new Wrong(sentence);
}

// -- 1. canonical JSON ----------------------------------------------------------------------------

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${pairs.join(",")}}`;
}

function isOfThisJson(value) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isOfThisJson);
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, item]) => /^[\x00-\x7f]*$/.test(key) && isOfThisJson(item));
}

function parsed(line) {
  need(line.length <= 8 * 1024 * 1024, "a line is too long");
  need(line.length > 0 && line[line.length - 1] === 0x0a, "truncated line");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line.subarray(0, -1));
    const document = JSON.parse(text);
    need(isOfThisJson(document) && canonical(document) === text, "not canonical");
    return document;
  } catch (problem) {
    throw new Wrong(`not canonical JSON: ${problem.message}`);
  }
}

// -- 2. what follows from the secret --------------------------------------------------------------

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const mac = (secret, message) => createHmac("sha256", secret).update(canonical(message)).digest();
const bytes = (hex) => Buffer.from(hex, "hex");

function* drawn(key, game, seq, limits) {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(seq));
  const start = Buffer.concat([Buffer.from("tabularium/draw/1"), key, Buffer.from(game), number]);
  const stream = (outputLength) => createHash("shake256", { outputLength }).update(start).digest();
  let words = stream(256);
  let used = 0;
  for (const limit of limits.map(BigInt)) {
    const fair = 2n ** 64n - (2n ** 64n % limit);
    let word = fair;
    while (word >= fair) {
      if (used === words.length) words = stream(2 * words.length);
      word = words.readBigUInt64BE(used);
      used += 8;
    }
    yield Number(word % limit);
  }
}

// -- 5. shapes and the life of a table ------------------------------------------------------------

const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const within = (low, high = Number.MAX_SAFE_INTEGER) => (value) => Number.isInteger(value) && value >= low && value <= high;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const has = (value, name) => Object.hasOwn(value, name);

function isTime(value) {
  if (!matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) || value.startsWith("0000")) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

const KINDS = {
  hash: matches(/^[0-9a-f]{64}$/), game: matches(/^game_[0-9a-f]{32}$/), slug: matches(/^[a-z][a-z0-9_]*$/),
  seed: matches(/^([0-9a-f]{2}){16,64}$/), signature: matches(/^[0-9a-f]{128}$/), expiry: matches(/^(bot|random|resign)$/),
  level: within(1, 2), ms: within(1000, 2592000000), seat: within(0, 61), seats: within(1, 62), seq: within(1), version: within(1),
  size: within(0), number: within(Number.MIN_SAFE_INTEGER), text: (value) => typeof value === "string", object: isObject, time: isTime,
  mark: (value) => value === true, link: matches(/^game_[0-9a-f]{32}$/),
  agreement: matches(/^(draw|end|takeback|pause)$/), departure: matches(/^(bot|resign)$/),
  viewer: matches(/^(everything|onlooker|seat:(0|[1-9]\d?))$/), format: matches(/^export\/[12]$/),
};
const OBJECTS = {
  clock: "action_ms:ms then:expiry",
  origin: "game:game hash:hash seat:seat? seq:seq",
  result: "reason:text scores:number*? winners:seat*",
  receipt: "game:game hash:hash key:hash seq:seq signature:signature",
  header: "tabularium:format game:game rules:slug version:version seats:seats viewer:viewer key:hash",
  entry: "seq:seq game:game prev:hash at:time seat:seat? action:object? sealed:object",
  reveal: "fields:object salts:object?",
  trailer: "count:seq head:hash receipts:receipt*",
  "table.create": "type:text rules:slug version:version digest:hash seats:seats options:object commitment:hash key:hash clock:clock? origin:origin? rated:mark hints:mark rematch:link",
  "table.join": "type:text bot:text? seed_hash:hash?",
  "table.leave": "type:text",
  "table.open_seed": "type:text seed:seed",
  "table.start": "type:text level:level position:object?",
  "table.resign": "type:text",
  "table.time_out": "type:text then:expiry",
  "table.replace": "type:text bot:text",
  "table.end": "type:text secret:hash result:result?",
  "table.abort": "type:text",
  "table.propose": "type:text of:agreement to:seq?",
  "table.accept": "type:text proposal:seq",
  "table.decline": "type:text proposal:seq",
  "table.takeback": "type:text to:seq",
  "table.pause": "type:text",
  "table.resume": "type:text",
  "table.claim": "type:text seat:seat then:departure",
  "table.expire": "type:text",
  "table.hint": "type:text",
};
const BY_TABLE = ["table.start", "table.end", "table.takeback", "table.pause", "table.expire"];
const ONLY_IN_2 = Object.keys(OBJECTS).slice(Object.keys(OBJECTS).indexOf("table.end") + 1);
const DAY = 86400000;

function fits(value, kind) {
  if (kind.endsWith("?")) return value === null || fits(value, kind.slice(0, -1));
  if (kind.endsWith("*")) return Array.isArray(value) && value.every((item) => fits(item, kind.slice(0, -1)));
  if (has(KINDS, kind)) return KINDS[kind](value);
  if (!isObject(value)) return false;
  const fields = OBJECTS[kind].split(" ").map((field) => field.split(":"))
    .filter(([name, of]) => !["mark", "link"].includes(of) || has(value, name));
  return Object.keys(value).length === fields.length
    && fields.every(([name, of]) => has(value, name) && fits(value[name], of));
}

class Table {
  constructor(game, create, at) {
    Object.assign(this, { game, create, phase: "gathering", late: false, level: 0, secret: null, seeds: [] });
    Object.assign(this, { seq: 1, now: Date.parse(at), before: 0, proposal: null, spent: new Set(), acted: [], last: [], undone: [] });
    Object.assign(this, { pausedAt: null, hasNoResult: false, hasPersonActed: false });
    this.isSecond = has(create, "hints") || has(create, "rematch");
    this.seats = Array(create.seats).fill(null);
    this.resigned = new Set();
    if (!create.rated) return;
    need(create.clock !== null && create.clock.then !== "bot", "a rated game without a clock that ends it");
    need(create.origin === null, "a rated fork");
  }

  follow({ seat, action, sealed, at }) {
    this.seq += 1;
    this.before = this.now;
    this.now = Date.parse(at);
    need(this.phase !== "over", "an entry after the end");
    need(seat === null || seat < this.seats.length, "unknown seat");
    const type = action === null ? null : action.type;
    if (typeof type !== "string" || !type.startsWith("table.")) return this.act(seat, action, type, sealed);
    need(type !== "table.create" && has(OBJECTS, type), "unknown type");
    need(type === "table.resume" || (seat === null) === BY_TABLE.includes(type), "an entry with the wrong author");
    if (ONLY_IN_2.includes(type)) this.isSecond = true;
    if (type === "table.start") return this.start(action, sealed);
    need(fits(action, type) && Object.keys(sealed).length === 0, "wrong shape");
    if (type === "table.end") return this.end(action);
    if (["table.join", "table.leave", "table.open_seed"].includes(type)) return this.gather(seat, action);
    return this.play(seat, action);
  }

  gather(seat, action) {
    need(this.phase === "gathering", "started already");
    const who = this.seats[seat];
    need((who === null) === (action.type === "table.join"), "a join of a taken seat, or a departure from a free one");
    if (action.type === "table.join") {
      const isTwice = action.bot !== null && this.seats.some((other) => other && other.bot === action.bot);
      need(!this.create.rated || !isTwice, "a bot with two seats in a rated game");
      if (this.seats.some((other) => other && other.seed)) this.late = true;
      this.seats[seat] = { bot: action.bot, hash: action.seed_hash, seed: null };
    } else if (action.type === "table.leave") {
      this.seats[seat] = null;
    } else {
      need(this.seats.every(Boolean) && who.hash && !who.seed, "no seed to open");
      need(sha256("tabularium/seed/1", bytes(action.seed)) === who.hash, "wrong seed");
      who.seed = action.seed;
    }
  }

  start(action, sealed) {
    const { origin } = this.create;
    const isHidden = origin !== null && origin.seat !== null;
    need(!isHidden || !has(action, "position"), "the position is not sealed");
    const whole = isHidden ? { ...action, position: null } : action;
    need(fits(whole, "table.start"), "wrong shape");
    need(isHidden || (origin === null) === (action.position === null), "only forks have a position");
    const due = isHidden ? ["/action/position", "/draws"] : ["/draws"];
    need(canonical(Object.keys(sealed).sort()) === canonical(due), "wrong fields are sealed");
    need(this.phase === "gathering", "started already");
    need(this.seats.every((who) => who && (who.seed || who.hash === null)), "a seat is not ready");
    const people = this.seats.filter((who) => who.bot === null);
    this.level = people.length > 0 && people.every((who) => who.hash) && !this.late ? 2 : 1;
    need(action.level === this.level, "wrong fairness level");
    this.phase = "playing";
    this.seeds = this.seats.map((who) => who.seed);
    this.acted = this.seats.map(() => this.now);
  }

  get left() {
    return this.seats.map((_, seat) => seat).filter((seat) => !this.resigned.has(seat));
  }

  needPlaying() {
    need(this.phase === "playing" && this.left.length > 1, "the game is not running");
    need(!this.hasNoResult && !this.isAgreed, "only a consequence can follow");
  }

  get people() {
    return this.left.filter((seat) => this.seats[seat].bot === null);
  }

  get isAgreed() {
    return this.proposal !== null && this.people.every((seat) => this.proposal.accepted.has(seat));
  }

  play(seat, action) {
    if (["table.takeback", "table.pause"].includes(action.type)) return this.consequence(action);
    this.needPlaying();
    if (ONLY_IN_2.includes(action.type)) return this.part(seat, action);
    need(action.type !== "table.time_out" || this.pausedAt === null, "a late player in a pause");
    this.proposal = null;
    this.last = [];
    if (action.type === "table.resign") {
      need(!this.resigned.has(seat), "resigned already");
      this.resigned.add(seat);
    } else if (action.type === "table.time_out") {
      need(this.create.clock !== null && this.create.clock.then === action.then, "wrong clock");
    } else {
      need(!this.create.rated || this.resigned.has(seat), "a substitute in a rated game");
      this.seats[seat].bot = action.bot;
    }
  }

  // what people agree on, and how they leave
  part(seat, action) {
    if (seat !== null) need(this.people.includes(seat), "no person");
    const { create } = this;
    const isAlone = this.people.length === 1;
    switch (action.type) {
      case "table.abort":
        need(!create.rated && !this.hasPersonActed, "too late to abort");
        this.hasNoResult = true;
        this.proposal = null;
        break;
      case "table.propose": {
        const { of, to } = action;
        need(this.pausedAt === null && this.proposal === null && !this.spent.has(seat), "no proposal now");
        need((to === null) === (of !== "takeback"), "a superfluous or missing place");
        need(!create.rated || (!isAlone && ["draw", "pause"].includes(of)), "not in a rated game");
        need(of !== "draw" || (!isAlone && this.people.length === this.left.length), "a draw without all");
        need(of !== "pause" || create.clock !== null, "no clock to stop");
        need(to === null || this.last.some((each) => each.seq === to + 1 && each.seat === seat), "no way back");
        this.spent = new Set([...this.spent, seat]);
        this.proposal = { seq: this.seq, seat, of, to, accepted: new Set([seat]) };
        break;
      }
      case "table.accept":
        need(this.proposal !== null && this.proposal.seq === action.proposal && !this.proposal.accepted.has(seat), "no such proposal");
        this.proposal = { ...this.proposal, accepted: new Set([...this.proposal.accepted, seat]) };
        break;
      case "table.decline":
        need(this.proposal !== null && this.proposal.seq === action.proposal, "no such proposal");
        this.proposal = null;
        break;
      case "table.resume":
        need(this.pausedAt !== null && (seat !== null || this.now - this.pausedAt >= 7 * DAY), "no pause, or a short one");
        this.pausedAt = null;
        break;
      case "table.claim":
        need(create.clock === null && action.seat !== seat && this.people.includes(action.seat), "nobody to claim");
        need(this.now - this.acted[action.seat] >= 7 * DAY, "not silent for long");
        this.proposal = null;
        this.last = [];
        break;
      case "table.expire":
        need(create.clock === null && this.now - this.before >= 90 * DAY, "not expired");
        this.hasNoResult = true;
        this.proposal = null;
        break;
      default: // a hint
        need(!create.rated && (isAlone || create.hints) && this.pausedAt === null, "no hints");
    }
  }

  consequence(action) {
    need(this.phase === "playing" && this.left.length > 1 && this.isAgreed, "not agreed");
    need(`table.${this.proposal.of}` === action.type && (this.proposal.to ?? undefined) === action.to, "another agreement");
    this.proposal = null;
    if (action.type === "table.pause") {
      this.pausedAt = this.now;
      this.last = [];
    } else {
      this.undone = [...this.undone, ...this.last.filter(({ seq }) => seq > action.to).map(({ seq }) => seq)];
      this.last = this.last.filter(({ seq }) => seq <= action.to);
    }
  }

  acts(seat, isOpen) {
    need(this.pausedAt === null, "paused");
    const isPerson = this.people.includes(seat);
    if (isPerson) this.hasPersonActed = true;
    if (this.proposal !== null && (this.proposal.of === "takeback" || (isPerson && seat !== this.proposal.seat))) this.proposal = null;
    this.spent = new Set();
    this.acted = this.acted.with(seat, this.now);
    const same = this.last.filter((each) => each.seat === seat);
    this.last = isOpen ? [...same, { seq: this.seq, seat }].slice(-8) : [];
  }

  act(seat, action, type, sealed) {
    this.needPlaying();
    need(seat !== null, "an action without a seat");
    const prefix = `${this.create.rules}.`;
    const isOurs = typeof type === "string" && type.startsWith(prefix) && KINDS.slug(type.slice(prefix.length));
    need(action === null || isOurs, "not an action of this game");
    need(has(sealed, "/draws") && has(sealed, "/action") === (action === null), "wrong fields are sealed");
    for (const path of Object.keys(sealed)) {
      if (path === "/draws" || path === "/action") continue;
      const [, field] = /^\/action\/([a-z][a-z0-9_]*)$/.exec(path) ?? [];
      need(field && field !== "type" && action !== null && !has(action, field), "unknown field");
    }
    this.acts(seat, Object.keys(sealed).length === 1);
  }

  end(action) {
    const { result } = action;
    const agreed = this.isAgreed ? this.proposal.of : null;
    need([null, "draw", "end"].includes(agreed), "another consequence is due");
    const hasNone = this.phase === "gathering" || (this.left.length > 1 && (this.hasNoResult || agreed === "end"));
    need((result === null) === hasNone, "a superfluous or missing result");
    if (result !== null) {
      const { winners, scores } = result;
      need(winners.length > 0 && new Set(winners).size === winners.length, "no winner, or a repeated winner");
      need(winners.every((seat) => this.left.includes(seat)), "a winner who resigned");
      const isDraw = this.left.length > 1 && agreed === "draw";
      need(!isDraw || winners.length === this.left.length, "a draw without all");
      need((scores === null) === (this.left.length === 1 || isDraw), "superfluous or missing scores");
      need(scores === null || scores.length === this.seats.length, "wrong number of scores");
    }
    this.secret = bytes(action.secret);
    need(sha256("tabularium/commit/1", this.game, this.secret) === this.create.commitment, "wrong secret");
    this.phase = "over";
  }
}

// -- 3, 6. the file -------------------------------------------------------------------------------

class Game {
  constructor() {
    Object.assign(this, { header: null, entries: [], hashes: [], table: null, reveals: 0, trailer: null });
    this.fields = new Map();
    this.salts = new Map();
  }

  read(line) {
    const document = parsed(line);
    need(this.trailer === null && isObject(document), "misplaced line");
    if (this.header === null) {
      need(fits(document, "header"), "not a header");
      this.header = document;
    } else if (has(document, "reveal")) this.readReveal(document);
    else if (has(document, "trailer")) this.readTrailer(document);
    else this.readEntry(document, line.subarray(0, -1));
  }

  readEntry(entry, text) {
    need(this.reveals === 0 && fits(entry, "entry"), "not an entry");
    need(Object.values(entry.sealed).every(KINDS.hash), "not a seal");
    need(entry.seq === this.entries.length + 1 && entry.game === this.header.game, "wrong entry");
    need(entry.prev === (this.hashes.at(-1) ?? "0".repeat(64)), "the chain is broken");
    if (entry.seq === 1) {
      need(entry.seat === null && Object.keys(entry.sealed).length === 0, "entry 1 has a seat or seals");
      need(entry.action !== null && entry.action.type === "table.create" && fits(entry.action, "table.create"), "not a table.create");
      for (const name of ["rules", "version", "seats", "key"]) need(entry.action[name] === this.header[name], `another ${name}`);
      this.table = new Table(entry.game, entry.action, entry.at);
    } else {
      need(entry.at >= this.entries.at(-1).at, "earlier than the entry before");
      this.table.follow(entry);
    }
    this.entries.push(entry);
    this.hashes.push(sha256("tabularium/entry/1", text));
  }

  readReveal(document) {
    need(Object.keys(document).length === 1 && fits(document.reveal, "reveal"), "not a reveal");
    const first = this.reveals * 1000 + 1;
    const last = Math.min(first + 999, this.entries.length);
    need(first <= last, "too many lines of the reveal");
    need((document.reveal.salts === null) === (this.table.phase === "over"), "superfluous or missing salts");
    for (const [part, all] of [[document.reveal.fields, this.fields], [document.reveal.salts ?? {}, this.salts]]) {
      for (const [seq, values] of Object.entries(part)) {
        need(/^[1-9]\d*$/.test(seq) && Number(seq) >= first && Number(seq) <= last, "misplaced entry in the reveal");
        need(isObject(values) && Object.keys(values).length > 0, "not a set of fields");
        all.set(Number(seq), values);
      }
    }
    this.reveals += 1;
  }

  readTrailer(document) {
    need(Object.keys(document).length === 1 && fits(document.trailer, "trailer"), "not a trailer");
    const count = this.entries.length;
    need(count > 0 && this.reveals === Math.ceil(count / 1000), "a line of the reveal is missing");
    need(this.table.isSecond === (this.header.tabularium === "export/2"), "another format");
    need(document.trailer.count === count && document.trailer.head === this.hashes.at(-1), "wrong count or head");
    this.trailer = document.trailer;
  }

  // -- 4, 8. seals and draws ----------------------------------------------------------------------

  checkFields() {
    const isOver = this.table.phase === "over";
    const { game } = this.header;
    const key = isOver ? mac(this.table.secret, ["tabularium/key/1", game, this.table.seeds]) : null;
    for (const { seq, sealed } of this.entries) {
      const told = this.fields.get(seq) ?? {};
      const salts = this.salts.get(seq) ?? {};
      const names = canonical(Object.keys(told).sort());
      need(names === canonical(Object.keys(isOver ? sealed : salts).sort()), "wrong fields are revealed");
      for (const [path, value] of Object.entries(told)) {
        need(isOver || (path !== "/draws" && KINDS.hash(salts[path])), "revealed too early, or a malformed salt");
        const salt = isOver ? mac(this.table.secret, ["tabularium/salt/1", game, seq, path]) : bytes(salts[path]);
        need(has(sealed, path) && sha256(salt, canonical([path, value])) === sealed[path], "a value does not match its seal");
      }
      if (isOver && has(told, "/draws")) {
        checkDraws(told["/draws"], key, game, seq);
        need(told["/draws"].length === 0 || !this.table.undone.includes(seq), "draws were taken back");
      }
      if (isOver && has(told, "/action")) {
        const { type } = isObject(told["/action"]) ? told["/action"] : {};
        need(typeof type === "string" && type.startsWith(`${this.header.rules}.`), "not an action of this game");
      }
    }
  }

  // -- 7. receipts --------------------------------------------------------------------------------

  checkReceipts() {
    const count = this.entries.length;
    const due = [...Array(Math.floor(count / 100)).keys()].map((number) => 100 * (number + 1));
    if (due.at(-1) !== count) due.push(count);
    const { receipts } = this.trailer;
    need(canonical(receipts.map(({ seq }) => seq)) === canonical(due), "wrong receipts");
    for (const receipt of receipts) {
      need(receipt.game === this.header.game && receipt.key === this.header.key, "wrong game or key");
      need(receipt.hash === this.hashes[receipt.seq - 1], "wrong signed hash");
      need(isGenuine(receipt), "invalid signature");
    }
  }
}

function checkDraws(draws, key, game, seq) {
  need(Array.isArray(draws) && draws.every((pair) => fits(pair, "size*") && pair.length === 2 && pair[1] > 0), "not draws");
  const fair = [...drawn(key, game, seq, draws.map(([, limit]) => limit))];
  need(draws.every(([value], index) => value === fair[index]), "a draw is not the fair one");
}

function isGenuine({ game, hash, key, seq, signature }) {
  const message = Buffer.concat([Buffer.from("tabularium/receipt/1"), Buffer.from(canonical({ game, hash, seq }))]);
  const der = Buffer.concat([bytes("302a300506032b6570032100"), bytes(key)]);
  try {
    return isSigned(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), bytes(signature));
  } catch {
    return false;
  }
}

// -- the verdict ----------------------------------------------------------------------------------

function verdict(lines, game = new Game()) {
  try {
    lines.forEach((line) => game.read(line));
    need(game.trailer !== null, "truncated file");
    game.checkFields();
    game.checkReceipts();
  } catch (problem) {
    if (!(problem instanceof Wrong)) throw problem;
    return { ok: false, sentence: problem.message };
  }
  return { ok: true, level: game.table.level };
}

// A copy that reads on without changing the original.
function copyOf(value) {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map || value instanceof Set) return new value.constructor(value);
  const copy = Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  if (value instanceof Table) copy.seats = value.seats.map((who) => who && { ...who });
  for (const name of ["table", "entries", "hashes", "fields", "salts", "seeds", "resigned"]) {
    if (copy[name]) copy[name] = copyOf(copy[name]);
  }
  return copy;
}

function linesOf(file) {
  const lines = [];
  for (let first = 0; first < file.length; ) {
    const end = file.indexOf(0x0a, first);
    const next = end === -1 ? file.length : end + 1;
    lines.push(file.subarray(first, next));
    first = next;
  }
  return lines;
}

const [base, mutations] = process.argv.slice(2);
const lines = linesOf(readFileSync(base));
const told = [];
if (mutations === undefined) told.push(verdict(lines));
else {
  const games = [new Game()]; // after each line of the original, from which its mutations read on
  for (const line of lines) {
    games.push(copyOf(games.at(-1)));
    games.at(-1).read(line);
  }
  for (const text of readFileSync(mutations, "utf-8").split("\n").filter(Boolean)) {
    const { first, old, lines: others } = JSON.parse(text);
    const changed = others.map((line) => Buffer.from(line, "base64"));
    told.push(verdict([...changed, ...lines.slice(first + old)], copyOf(games[first])));
  }
}
process.stdout.write(told.map((one) => `${JSON.stringify(one)}\n`).join(""));
