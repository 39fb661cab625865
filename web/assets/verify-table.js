/** The life of a table, as docs/fairness.md, part 5, permits it: who joins, acts, agrees and leaves when. */

import { fromHex, joined, sha256, toHex } from "./digest.js";
import { canonical, fits, has, KINDS, need, OBJECTS, ONLY_IN_2 } from "./verify-shapes.js";

const BY_TABLE = ["table.start", "table.end", "table.takeback", "table.pause", "table.expire"];
const DAY = 86400000;

/** @param {...(Uint8Array | string)} parts */
export const hash = (...parts) => toHex(sha256(joined(...parts)));

export class Table {
  /** @param {string} game @param {any} create the action of entry 1 @param {string} at */
  constructor(game, create, at) {
    this.game = game;
    this.create = create;
    this.phase = "gathering";
    this.late = false; // whether a seat was joined while a seed was open
    this.level = 0;
    /** @type {Uint8Array | null} */ this.secret = null;
    /** @type {(string | null)[]} */ this.seeds = [];
    this.seq = 1;
    this.now = Date.parse(at);
    this.before = 0;
    /** @type {any} */ this.proposal = null;
    /** @type {Set<number>} */ this.spent = new Set(); // seats that have made their proposal
    /** @type {any} */ this.acted = [];
    /** @type {{seq: number, seat: number}[]} */ this.last = [];
    /** @type {number[]} */ this.undone = [];
    /** @type {number | null} */ this.pausedAt = null;
    this.hasNoResult = false;
    this.hasPersonActed = false;
    this.isSecond = has(create, "hints") || has(create, "rematch");
    /** @type {any[]} */ this.seats = Array(create.seats).fill(null);
    /** @type {Set<number>} */ this.resigned = new Set();
    if (!create.rated) return;
    need(create.clock !== null && create.clock.then !== "bot", "a rated game without a clock that ends it");
    need(create.origin === null, "a rated fork");
  }

  /** @param {any} entry @returns {void} */
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

  /** @param {number} seat @param {any} action */
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
      need(hash("tabularium/seed/1", fromHex(action.seed)) === who.hash, "wrong seed");
      who.seed = action.seed;
    }
  }

  /** @param {any} action @param {any} sealed */
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

  /** @param {number} seat @param {any} action */
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

  /** What people agree on, and how they leave. @param {any} seat @param {any} action */
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

  /** @param {any} action */
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

  /** @param {number} seat @param {boolean} isOpen */
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

  /** @param {number | null} seat @param {any} action @param {any} type @param {any} sealed */
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

  /** @param {any} action */
  end(action) {
    const { result } = action;
    const agreed = this.isAgreed ? this.proposal.of : null;
    need([null, "draw", "end"].includes(agreed), "another consequence is due");
    const hasNone = this.phase === "gathering" || (this.left.length > 1 && (this.hasNoResult || agreed === "end"));
    need((result === null) === hasNone, "a superfluous or missing result");
    if (result !== null) {
      const { winners, scores } = result;
      need(winners.length > 0 && new Set(winners).size === winners.length, "no winner, or a repeated winner");
      need(winners.every((/** @type {number} */ seat) => this.left.includes(seat)), "a winner who resigned");
      const isDraw = this.left.length > 1 && agreed === "draw";
      need(!isDraw || winners.length === this.left.length, "a draw without all");
      need((scores === null) === (this.left.length === 1 || isDraw), "superfluous or missing scores");
      need(scores === null || scores.length === this.seats.length, "wrong number of scores");
    }
    this.secret = fromHex(action.secret);
    need(hash("tabularium/commit/1", this.game, this.secret) === this.create.commitment, "wrong secret", "secret");
    this.phase = "over";
  }
}
