/** The life of a table: its players, and the entries that may come next (docs/fairness.md, part 5). */

import { seedHash } from "../seeds.js";
import { need, type JsonObject } from "./canonical.js";
import { Secret } from "./secret.js";
import { Agreements, type Moment } from "./agreements.js";
import { fits, isShape, ONLY_IN_2, shaped, type Create, type LogEntry } from "./shapes.js";

interface Player {
  bot: string | null;
  hash: string | null;
  seed: string | null;
}

const BY_THE_TABLE = ["table.start", "table.end", "table.takeback", "table.pause", "table.expire"];
const CONSEQUENCES = ["table.takeback", "table.pause"];
const BEFORE_THE_START = ["table.join", "table.leave", "table.open_seed"];

export class Table {
  phase: "gathering" | "playing" | "over" = "gathering";
  level: 0 | 1 | 2 = 0;
  secret: Secret | undefined;
  seeds: (string | null)[] = [];
  private readonly seats: (Player | null)[];
  private readonly resigned = new Set<number>();
  private hasLateJoin = false;
  private seq = 1;
  private previous = 0;
  /** Whether an entry is one that only an export/2 has. */
  isSecondFormat: boolean;
  readonly agreements: Agreements;

  constructor(private readonly game: string, private readonly create: Create, private at: number) {
    this.agreements = new Agreements(create);
    this.isSecondFormat = Object.hasOwn(create, "hints") || Object.hasOwn(create, "rematch");
    this.seats = Array<Player | null>(create.seats).fill(null);
    if (!create.rated) return;
    need(create.clock && create.clock.then !== "bot", "A rated game needs a clock with `then` set to `resign` or `random`.");
    need(create.origin === null, "A fork cannot be rated.");
  }

  /** Add an entry. A game's own action may be hidden, but not its kind of entry. */
  async follow({ seat, action, sealed, at }: LogEntry): Promise<void> {
    [this.seq, this.previous, this.at] = [this.seq + 1, this.at, Date.parse(at)];
    need(this.phase !== "over", "Nothing may follow the end.");
    need(seat === null || seat < this.seats.length, `There is no seat ${seat}.`);
    const type = action?.["type"];
    if (action === null || typeof type !== "string" || !type.startsWith("table.")) return this.act(seat, action, sealed);
    need(isShape(type) && type !== "table.create", `${type} is not a possible entry here.`);
    const isByRight = type === "table.resume" || (seat === null) === BY_THE_TABLE.includes(type);
    need(isByRight, "The table makes this entry, and no seat does, or the other way round.");
    this.isSecondFormat ||= ONLY_IN_2.includes(type);
    if (type === "table.start") return this.start(action, sealed);
    shaped(action, type);
    need(Object.keys(sealed).length === 0, "This kind of entry has no sealed fields.");
    if (type === "table.end") return this.end(action);
    if (BEFORE_THE_START.includes(type)) return this.gather(seat as number, type, action);
    if (CONSEQUENCES.includes(type)) return this.carryOut(type, action);
    this.needPlaying();
    if (ONLY_IN_2.includes(type)) this.agreements.follow(seat, type, action, this.moment);
    else this.play(seat as number, type, action);
  }

  private get moment(): Moment {
    return { seq: this.seq, at: this.at, previous: this.previous, people: this.people, left: this.left };
  }

  private carryOut(type: string, action: JsonObject): void {
    need(this.phase === "playing" && this.left.length > 1, "The game is not running.");
    this.agreements.carryOut(type, action, this.moment);
  }

  private async gather(seat: number, type: string, action: JsonObject): Promise<void> {
    need(this.phase === "gathering", "The game has started.");
    const who = this.seats[seat] ?? null;
    if (type === "table.join") {
      need(who === null, `Seat ${seat} is taken.`);
      return this.join(seat, action["bot"] as string | null, action["seed_hash"] as string | null);
    }
    need(who !== null, `Seat ${seat} is free.`);
    if (type === "table.leave") this.seats[seat] = null;
    else await this.openSeed(seat, who, action["seed"] as string);
  }

  private join(seat: number, bot: string | null, hash: string | null): void {
    this.hasLateJoin ||= this.seats.some((who) => who?.seed);
    const isTwice = bot !== null && this.seats.some((who) => who?.bot === bot);
    need(!this.create.rated || !isTwice, "In a rated game every bot has one seat.");
    this.seats[seat] = { bot, hash, seed: null };
  }

  private async openSeed(seat: number, who: Player, seed: string): Promise<void> {
    need(who.hash !== null && who.seed === null, `Seat ${seat} has no seed to open.`);
    need(this.seats.every(Boolean), "Seeds are opened when all seats are taken.");
    need((await seedHash(seed)) === who.hash, `The seed does not match the hash that seat ${seat} sent on joining.`);
    who.seed = seed;
  }

  private start(action: JsonObject, sealed: Record<string, string>): void {
    const { origin } = this.create;
    const isHidden = origin !== null && origin.seat !== null;
    need(!isHidden || !Object.hasOwn(action, "position"), "The position of a fork from a seat's view must be sealed.");
    shaped(isHidden ? { ...action, position: null } : action, "table.start");
    const due = isHidden ? ["/action/position", "/draws"] : ["/draws"];
    need(Object.keys(sealed).sort().join() === due.join(), "The wrong fields are sealed.");
    need(isHidden || (origin === null) === (action["position"] === null), "A fork has a position, other games have none.");
    const isReady = this.seats.every((who) => who !== null && (who.seed !== null || who.hash === null));
    need(this.phase === "gathering" && isReady, "Not all seats are ready for the start.");
    const people = this.seats.filter((who) => who?.bot === null);
    this.level = people.length > 0 && people.every((who) => who?.hash) && !this.hasLateJoin ? 2 : 1;
    need(action["level"] === this.level, `The fairness level of this table is ${this.level}.`);
    this.seeds = this.seats.map((who) => who?.seed ?? null);
    this.phase = "playing";
    this.agreements.start(this.at);
  }

  /** The seats that people play who have not resigned. */
  private get people(): number[] {
    return this.left.filter((seat) => this.seats[seat]?.bot === null);
  }

  /** The seats that have not resigned. */
  private get left(): number[] {
    return [...this.seats.keys()].filter((seat) => !this.resigned.has(seat));
  }

  private needPlaying(): void {
    need(this.phase === "playing", "The game is not running.");
    need(this.left.length > 1, "All other seats have resigned: only the end may follow.");
    need(!this.agreements.hasNoResult, "The game ends without a result: only the end may follow.");
    need(this.agreements.agreed(this.people) === null, "The players have agreed: only the consequence may follow.");
  }

  private play(seat: number, type: string, action: JsonObject): void {
    if (type === "table.time_out") this.agreements.needRunning();
    this.agreements.depart();
    if (type === "table.resign") {
      need(!this.resigned.has(seat), `Seat ${seat} has resigned already.`);
      this.resigned.add(seat);
    } else if (type === "table.time_out") {
      need(this.create.clock !== null && action["then"] === this.create.clock.then, "The table has no clock with this expiry.");
    } else {
      need(!this.create.rated || this.resigned.has(seat), "In a rated game a bot plays only for seats that have resigned.");
      (this.seats[seat] as Player).bot = action["bot"] as string;
    }
  }

  private act(seat: number | null, action: JsonObject | null, sealed: Record<string, string>): void {
    this.needPlaying();
    need(seat !== null, "An action of the game needs a seat.");
    const type = action?.["type"];
    const prefix = `${this.create.rules}.`;
    const isOurs = typeof type === "string" && type.startsWith(prefix) && fits(type.slice(prefix.length), "slug");
    need(action === null || isOurs, "This is not an action of this game.");
    need(Object.hasOwn(sealed, "/draws"), "The draws are not sealed.");
    need((action === null) === Object.hasOwn(sealed, "/action"), "The action must be either public or sealed.");
    for (const path of Object.keys(sealed)) {
      if (path === "/draws" || path === "/action") continue;
      const field = /^\/action\/([a-z][a-z0-9_]*)$/.exec(path)?.[1];
      const isOwn = field !== undefined && field !== "type" && action !== null && !Object.hasOwn(action, field);
      need(isOwn, `${path} cannot be sealed.`);
    }
    this.agreements.act(seat, Object.keys(sealed).length === 1, this.moment);
  }

  private async end(action: JsonObject): Promise<void> {
    const result = action["result"] as { winners: number[]; scores: number[] | null } | null;
    const isGathering = this.phase === "gathering";
    const agreed = isGathering ? null : this.agreements.agreed(this.people);
    need(agreed === null || agreed === "draw" || agreed === "end", "The players have agreed on something else.");
    const hasNone = isGathering || (this.left.length > 1 && (this.agreements.hasNoResult || agreed === "end"));
    need((result === null) === hasNone, "A result is missing, or there can be none.");
    if (result !== null) this.checkResult(result.winners, result.scores, agreed === "draw" && this.left.length > 1);
    const secret = new Secret(action["secret"] as string);
    need((await secret.commitment(this.game)) === this.create.commitment, "The secret does not match the commitment in entry 1.");
    this.secret = secret;
    this.phase = "over";
  }

  private checkResult(winners: number[], scores: number[] | null, isDraw: boolean): void {
    const { left } = this;
    need(winners.length > 0 && winners.every((seat) => left.includes(seat)), "A seat that has resigned cannot win.");
    need(new Set(winners).size === winners.length, "A winner is named twice.");
    need(!isDraw || winners.length === left.length, "A draw has all players as winners.");
    need((scores === null) === (left.length === 1 || isDraw), "Only a game that was given up has no scores.");
    need(scores === null || scores.length === this.seats.length, "There must be one score per seat.");
  }
}
