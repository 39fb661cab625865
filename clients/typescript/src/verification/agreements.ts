/** What people agree on at a table, and how they leave it (docs/fairness.md, part 5). */

import { need, type JsonObject } from "./canonical.js";
import type { Create } from "./shapes.js";

const DAY = 24 * 3600 * 1000;
const TAKEN_BACK = 8;

interface Proposal {
  seq: number;
  seat: number;
  of: string;
  to: number | null;
  accepted: Set<number>;
}

/** An entry, with the facts of the table that its author and its consequences depend on. */
export interface Moment {
  seq: number;
  at: number;
  previous: number;
  people: number[];
  left: number[];
}

export class Agreements {
  proposal: Proposal | null = null;
  /** Whether the game ends without a result. */
  hasNoResult = false;
  /** The entries that were taken back. */
  readonly undone: number[] = [];
  private pausedAt: number | null = null;
  private hasPersonActed = false;
  private readonly spent = new Set<number>();
  private readonly acted = new Map<number, number>();
  private last: { seq: number; seat: number }[] = [];

  constructor(private readonly create: Create) {}

  /** Note the start. */
  start(at: number): void {
    for (let seat = 0; seat < this.create.seats; seat++) this.acted.set(seat, at);
  }

  /** What all people have agreed on: only its consequence can follow. */
  agreed(people: number[]): string | null {
    const { proposal } = this;
    return proposal !== null && people.every((seat) => proposal.accepted.has(seat)) ? proposal.of : null;
  }

  needRunning(): void {
    need(this.pausedAt === null, "The game is paused.");
  }

  /** Note that a player has left, or another has come. */
  depart(): void {
    this.proposal = null;
    this.last = [];
  }

  /** Note an action of the game: that of another person declines a proposal. */
  act(seat: number, isOpen: boolean, { seq, at, people }: Moment): void {
    this.needRunning();
    const isPerson = people.includes(seat);
    this.hasPersonActed ||= isPerson;
    const { proposal } = this;
    if (proposal && (proposal.of === "takeback" || (isPerson && seat !== proposal.seat))) this.proposal = null;
    this.spent.clear();
    this.acted.set(seat, at);
    const same = this.last.filter((each) => each.seat === seat);
    this.last = isOpen ? [...same, { seq, seat }].slice(-TAKEN_BACK) : [];
  }

  /** Add an entry that only an export/2 has. */
  follow(seat: number | null, type: string, action: JsonObject, moment: Moment): void {
    need(seat === null || moment.people.includes(seat), `No person plays seat ${seat}.`);
    if (type === "table.propose") this.propose(seat as number, action, moment);
    else if (type === "table.accept") this.accept(seat as number, action);
    else if (type === "table.decline") this.decline(action);
    else if (type === "table.resume") this.resume(seat, moment);
    else if (type === "table.claim") this.claim(seat as number, action["seat"] as number, moment);
    else if (type === "table.abort") this.abort();
    else if (type === "table.expire") this.expire(moment);
    else this.hint(moment);
  }

  private propose(seat: number, action: JsonObject, { seq, people, left }: Moment): void {
    const [of, to] = [action["of"] as string, action["to"] as number | null];
    const isAlone = people.length === 1;
    this.needRunning();
    need(this.proposal === null, "Another proposal is open.");
    need(!this.spent.has(seat), "This seat has made a proposal since the last action.");
    need((to === null) === (of !== "takeback"), "Only a takeback names an entry to return to.");
    const isAllowed = !this.create.rated || (!isAlone && (of === "draw" || of === "pause"));
    need(isAllowed, "In a rated game people agree on a draw or a pause, nothing else.");
    need(of !== "draw" || (!isAlone && people.length === left.length), "A draw needs people on all seats.");
    need(of !== "pause" || this.create.clock !== null, "There is no clock that a pause could stop.");
    const isMine = to === null || this.last.some((each) => each.seq === to + 1 && each.seat === seat);
    need(isMine, "This entry is not one to which the seat can return.");
    this.spent.add(seat);
    this.proposal = { seq, seat, of, to, accepted: new Set([seat]) };
  }

  private accept(seat: number, action: JsonObject): void {
    const proposal = this.opened(action);
    need(!proposal.accepted.has(seat), `Seat ${seat} has accepted this proposal.`);
    proposal.accepted.add(seat);
  }

  private decline(action: JsonObject): void {
    this.opened(action);
    this.proposal = null;
  }

  private opened(action: JsonObject): Proposal {
    const { proposal } = this;
    need(proposal !== null && proposal.seq === action["proposal"], "There is no such open proposal.");
    return proposal;
  }

  /** Add the takeback or the pause that people have agreed on. */
  carryOut(type: string, action: JsonObject, { at, people }: Moment): void {
    const { proposal } = this;
    need(proposal !== null && `table.${this.agreed(people)}` === type, "The players have not agreed.");
    this.proposal = null;
    if (type === "table.pause") {
      this.pausedAt = at;
      this.last = [];
      return;
    }
    const to = action["to"] as number;
    need(proposal.to === to, "The players have agreed on another takeback.");
    this.undone.push(...this.last.filter(({ seq }) => seq > to).map(({ seq }) => seq));
    this.last = this.last.filter(({ seq }) => seq <= to);
  }

  private resume(seat: number | null, { at }: Moment): void {
    need(this.pausedAt !== null, "The game is not paused.");
    need(seat !== null || at - this.pausedAt >= 7 * DAY, "The pause has not lasted for seven days.");
    this.pausedAt = null;
  }

  private claim(seat: number, absent: number, { at, people }: Moment): void {
    need(this.create.clock === null, "The clock of this table removes players who are late.");
    need(absent !== seat && people.includes(absent), `No other person plays seat ${absent}.`);
    need(at - (this.acted.get(absent) as number) >= 7 * DAY, `Seat ${absent} has not been silent for seven days.`);
    this.depart();
  }

  private abort(): void {
    need(!this.create.rated, "A rated game cannot be aborted.");
    need(!this.hasPersonActed, "A person has acted: the game can no longer be aborted.");
    this.endWithoutResult();
  }

  private expire({ at, previous }: Moment): void {
    need(this.create.clock === null, "A table with a clock does not expire.");
    need(at - previous >= 90 * DAY, "The last entry is not ninety days old.");
    this.endWithoutResult();
  }

  private endWithoutResult(): void {
    this.hasNoResult = true;
    this.proposal = null;
  }

  private hint({ people }: Moment): void {
    need(!this.create.rated, "A rated game has no hints.");
    need(this.create.hints || people.length === 1, "Other people play, and the table was made without hints.");
    this.needRunning();
  }
}
