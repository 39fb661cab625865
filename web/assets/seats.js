/** Who sits where, and whose turn it is. */

import { button, h, hued, refill } from "./dom.js";
import { TABLE } from "./strings/table.js";

/** The name of a seat's player as this page calls it. @param {any} seat */
export function nameOf(seat) {
  if (seat.bot) return TABLE.bot(seat.bot);
  if (seat.is_deleted) return TABLE.gone;
  const kinds = /** @type {Record<string, string>} */ ({ open: TABLE.free, invite: TABLE.invited, challenge: TABLE.challenged, declined: TABLE.declined });
  return seat.name || kinds[seat.kind] || TABLE.guest;
}

/** A seat's title in the game, and its player. @param {any} seat */
export function titled(seat) {
  return `${seat.title}, ${nameOf(seat)}`;
}

/** Titles and players of seats as a list. @param {any} game @param {number[]} seats */
function namesOf(game, seats) {
  return seats.map((number) => titled(game.seats[number])).join("; ");
}

export class Seats {
  /** @param {(seat: number) => Promise<void>} sitDown */
  constructor(sitDown) {
    this.sitDown = sitDown;
    this.element = h("ul", { class: "seats" });
  }

  /** @param {any} game */
  show(game) {
    const winners = game.result?.winners ?? [];
    const shown = [game.seats, game.to_act, game.result, game.phase, game.your_seats];
    refill(this.element, shown, () => game.seats.map((/** @type {any} */ seat) => this.#seat(game, seat, winners.includes(seat.seat))));
  }

  /** @param {any} game @param {any} seat @param {boolean} hasWon */
  #seat(game, seat, hasWon) {
    const isFree = game.phase === "gathering" && seat.kind === "open" && !game.your_seats.length;
    const score = game.result?.scores?.[seat.seat];
    const notes = [
      seat.is_you && TABLE.you,
      game.to_act.includes(seat.seat) && TABLE.onTurn,
      seat.has_resigned && TABLE.resigned,
      hasWon && "★",
      score !== undefined && score !== null && String(score),
    ].filter(Boolean);
    const place = h(
      "li",
      { class: game.to_act.includes(seat.seat) ? "awaited" : "" },
      h("span", { class: "who" }, `${seat.title}: `, h("bdi", {}, nameOf(seat))),
      notes.length ? h("span", { class: "faint" }, ` (${notes.join(", ")})`) : null,
      isFree ? button(TABLE.takeSeat(seat.seat), () => this.sitDown(seat.seat)) : null,
    );
    return hued(seat.seat, place);
  }
}

/** A sentence or two about where the game stands. @param {{game: any, choice: any, entries: any[]}} session */
export function statusOf({ game, choice, entries }) {
  if (game.phase === "gathering") return TABLE.gathering;
  if (game.phase === "over") {
    const winners = game.result?.winners ?? [];
    const won = winners.length ? TABLE.won(namesOf(game, winners)) : TABLE.noWinner;
    return game.result ? [TABLE.over, won, game.result.reason].join(" ") : `${TABLE.over} ${endingOf(game)}`;
  }
  if (game.paused_since) return TABLE.paused;
  const isMine = game.to_act.some((/** @type {number} */ seat) => game.your_seats.includes(seat));
  if (isMine && choice?.is_awaited) return TABLE.yourTurn(choice.offers.length);
  const waiting = TABLE.waitingFor(namesOf(game, game.to_act));
  return isSealed(entries, game.your_seats) ? `${TABLE.sealed} ${waiting}` : waiting;
}

/** How a game without a result ended. @param {{ending: string}} game */
function endingOf({ ending }) {
  return /** @type {Record<string, string>} */ (TABLE.endings)[ending];
}

/** Whether the caller's last choice is sealed, and all that has followed are sealed choices of others. @param {any[]} entries @param {number[]} mine */
function isSealed(entries, mine) {
  const own = entries.findLastIndex((entry) => mine.includes(entry.seat));
  return own >= 0 && entries.slice(own).every((entry) => entry.news.length === 1 && Object.keys(entry.public.sealed).some((path) => path.startsWith("/action")));
}
