/** Facts of the API in words: players, bots, times, clocks, options, results. */

import { h } from "./dom.js";
import { TEXT } from "./strings/pages.js";

/** @typedef {[Intl.RelativeTimeFormatUnit, number]} Unit */
const SECOND = /** @type {Unit} */ (["second", 1]);
const UNITS = /** @type {Unit[]} */ ([["day", 86_400], ["hour", 3600], ["minute", 60], SECOND]);
const AGO = new Intl.RelativeTimeFormat(["en"], { numeric: "auto" });

/** The name of a bot for people. @param {string} bot */
export function botName(bot) {
  const level = /^level_(\d+)$/.exec(bot);
  const plain = bot.replace(/_/g, " ");
  return level ? TEXT.level(level[1] ?? "") : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Who sits on a seat. @param {any} seat */
export function seatName(seat) {
  if (seat.is_you && seat.kind === "account") return TEXT.you;
  const name = seat.name || (seat.is_deleted ? TEXT.deleted : TEXT.guest);
  switch (seat.kind) {
    case "bot": return seat.account ? TEXT.botFor(name) : botName(seat.bot);
    case "open": return TEXT.openSeat;
    case "invite": return TEXT.invited;
    case "challenge": return seat.account ? TEXT.asked(name) : TEXT.someone;
    case "declined": return TEXT.declined;
    default: return name;
  }
}

/** All seats of a game, in order. @param {any} game */
export function players(game) {
  return game.seats.map(seatName).join(", ");
}

/** How a game ended. @param {any} game */
export function resultOf(game) {
  if (!game.result) return /** @type {Record<string, string>} */ (TEXT.endings)[game.ending];
  const { winners, reason } = game.result;
  if (!winners.length) return reason;
  if (winners.some((/** @type {number} */ seat) => game.seats[seat].is_you)) return TEXT.youWon;
  return TEXT.wonBy(winners.map((/** @type {number} */ seat) => seatName(game.seats[seat])).join(", "));
}

/** A time as an element that says how long ago it was. @param {string} iso */
export function ago(iso) {
  return h("time", { datetime: iso, title: dateOf(iso), class: "ago" }, agoWords(iso));
}

/** Bring the times of a page up to date. */
export function renewTimes() {
  for (const time of document.querySelectorAll("time.ago")) {
    time.textContent = agoWords(time.getAttribute("datetime") ?? "");
  }
}

/** How long ago a time was, or how far away it is. @param {string} iso @param {number} [now] */
export function agoWords(iso, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? SECOND;
  return AGO.format(Math.trunc(seconds / length), unit);
}

/** A time as a date. @param {string} iso */
export function dateOf(iso) {
  return new Date(iso).toLocaleString(["en-GB"], { dateStyle: "medium", timeStyle: "short" });
}

/** A clock in words. @param {any} clock */
export function clockWords(clock) {
  if (!clock) return TEXT.newGame.noClock;
  const then = /** @type {Record<string, string>} */ (TEXT.newGame.thenOf)[clock.then];
  return `${durationWords(clock.action_ms)}; ${then}`;
}

/** @param {number} milliseconds */
export function durationWords(milliseconds) {
  const [unit, length] = UNITS.find(([, size]) => milliseconds % (size * 1000) === 0) ?? SECOND;
  const count = milliseconds / 1000 / length;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The value of an option in words. @param {any} option @param {any} value @returns {string} */
export function valueWords(option, value) {
  if (value === null || value === undefined) return TEXT.rules.open;
  const choice = option.choices.find((/** @type {any} */ one) => one.value === value);
  if (choice) return choice.title;
  if (typeof value === "boolean") return value ? TEXT.rules.yes : TEXT.rules.no;
  return String(value);
}

/** A share in percent. @param {number} share */
export function percent(share) {
  return `${Math.round(share * 100)}\u00a0%`;
}

/**
 * The bots that play a game, from the weakest to the strongest as far as that is measured: the levels, or else all.
 * @param {any[]} bots @param {string} rules
 */
export function opponents(bots, rules) {
  const able = bots.filter((bot) => bot.rules.includes(rules));
  const levels = able.filter((bot) => /^level_\d+$/.test(bot.name));
  const greedy = able.filter((bot) => bot.name === "greedy");
  return [levels, greedy, able].find((some) => some.length) ?? [];
}

/** The measured strength of a bot at a table, if there is one. @param {any} bot @param {string} rules @param {number} seats */
export function strengthAt(bot, rules, seats) {
  const measured = bot.strength.filter((/** @type {any} */ one) => one.rules === rules && one.seats === seats);
  return measured.find((/** @type {any} */ one) => Object.keys(one.options ?? {}).length <= 1) ?? measured[0];
}

/**
 * A bot with its strength in a few words, for a list of choices.
 * @param {any} bot @param {string} rules @param {number} seats @param {boolean} isFirst
 */
export function botWords(bot, rules, seats, isFirst) {
  const measured = strengthAt(bot, rules, seats);
  if (isFirst && /^level_/.test(bot.name)) return `${botName(bot.name)}, ${TEXT.strength.weakest}`;
  if (!measured) return botName(bot.name);
  return `${botName(bot.name)}, ${TEXT.strength.wins(percent(measured.share), botName(measured.opponent))}`;
}

/** The link by which the holder of an invitation joins. @param {string} game @param {number} seat @param {string} secret */
export function invitationLink(game, seat, secret) {
  return `${location.origin}/join/${game}#${secret}.${seat}`;
}
