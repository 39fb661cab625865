/** What can be done at a table besides the rules: proposals, resigning, rematches, forks, downloads. */

import { button, confirmed, copyText, h, refill } from "./dom.js";
import { nameOf } from "./seats.js";
import { TABLE } from "./strings/table.js";

const ABSENT_AFTER = 7 * 86_400_000; // milliseconds

/**
 * The parts of the menu that the game allows now.
 * @param {{game: any, seq: number | null, call: (name: string, body?: any, path?: any) => Promise<any>,
 *   open: (game: string) => void, download: () => Promise<void>}} table
 * @param {Element} place
 */
export function showMenu(table, place) {
  const { phase, takebacks, clock, paused_since: paused, rated, your_seats: mine, seq } = table.game;
  const parts = { gathering: beforehand, playing: meanwhile, over: afterwards };
  const build = () => parts[/** @type {keyof typeof parts} */ (phase)](table);
  const absent = phase === "playing" && absentPeople(table.game);
  refill(place, [phase, takebacks, clock, paused, rated, mine, absent, phase === "over" && [seq, table.seq]], build);
}

/** @typedef {Parameters<typeof showMenu>[0]} Table */

/** @param {Table} table */
function beforehand({ game, call }) {
  if (!game.your_seats.length) return [];
  const kept = game.seats.filter((/** @type {any} */ { kind }) => kind === "invite");
  const invite = async (/** @type {number} */ seat) => {
    const [{ secret }, { invitationLink }] = await Promise.all([call("invite", { seat }), import("./words.js")]);
    await copyText(invitationLink(game.id, seat, secret));
  };
  return [
    kept.map((/** @type {any} */ { seat }) => button(TABLE.invite(seat), () => invite(seat))),
    button(TABLE.startNow, () => call("start", {})),
    confirmed(TABLE.callOff, TABLE.sure, () => call("callOff", {})),
    button(TABLE.leave, () => call("leave", { seat: game.your_seats[0] })),
  ];
}

/** @param {Table} table */
function meanwhile({ game, call, download }) {
  const seat = game.your_seats[0];
  if (seat === undefined) return [button(TABLE.export, download)];
  const propose = (/** @type {string} */ of, more = {}) => call("propose", { seat, of, ...more });
  return [
    game.takebacks.length ? button(TABLE.takeback, () => propose("takeback", { to: game.takebacks.at(-1) })) : null,
    game.paused_since ? button(TABLE.resume, () => call("resume", { seat })) : null,
    game.clock && !game.paused_since ? button(TABLE.pauseGame, () => propose("pause")) : null,
    button(TABLE.draw, () => propose("draw")),
    game.rated ? null : button(TABLE.end, () => propose("end")),
    game.rated ? null : button(TABLE.abort, () => call("abort", { seat })),
    absentPeople(game).map((absent) => confirmed(TABLE.claim(nameOf(absent)), TABLE.sure, () => call("claim", { seat, absent: absent.seat }))),
    confirmed(TABLE.handOver, TABLE.sure, () => call("seatBot", { seat, bot: "greedy" })),
    confirmed(TABLE.resign, TABLE.sure, () => call("resign", { seat })),
    button(TABLE.export, download),
  ];
}

/** The others for whom a game without a clock has waited so long that their seats can be claimed. @param {any} game @returns {any[]} */
function absentPeople({ at, clock, paused_since, seats, to_act }) {
  const isSilent = !clock && !paused_since && Date.now() - Date.parse(at) > ABSENT_AFTER;
  return isSilent ? seats.filter((/** @type {any} */ each) => to_act.includes(each.seat) && !each.bot && !each.is_you) : [];
}

/** @param {Table} table */
function afterwards({ game, seq, call, open, download }) {
  const isPlayer = game.your_seats.length > 0;
  const fork = async () => {
    const seats = game.seats.map((/** @type {any} */ seat) => (seat.seat === (game.your_seats[0] ?? 0) ? { kind: "me" } : { kind: "bot", bot: seat.bot ?? "greedy" }));
    open((await call("fork", { seq, seats })).id);
  };
  return [
    isPlayer ? button(TABLE.rematch, async () => open((await call("rematch", undefined)).id), { class: "primary" }) : null,
    seq !== null && seq >= (game.first ?? Infinity) && seq < game.seq ? button(TABLE.fork, fork) : null,
    button(TABLE.export, download),
  ];
}

/** A proposal that stands, and the answers to it. @param {Table} table @returns {any} */
export function proposalOf({ game, call }) {
  const { proposal, your_seats: mine } = game;
  if (!proposal) return null;
  const seat = mine[0];
  const of = /** @type {Record<string, string>} */ (TABLE.proposals)[proposal.of] ?? proposal.of;
  const said = h("span", {}, TABLE.proposal(nameOf(game.seats[proposal.seat]), of));
  const answer = (/** @type {string} */ name) => call(name, { seat }, { proposal: proposal.seq });
  const isOwn = mine.includes(proposal.seat);
  return h(
    "div",
    { class: "row proposal" },
    said,
    seat === undefined ? null : [isOwn ? null : button(TABLE.accept, () => answer("accept")), button(isOwn ? TABLE.withdraw : TABLE.decline, () => answer("decline"))],
  );
}
