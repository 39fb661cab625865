/** Lists of games, as links to their tables. */

import { button, h } from "./dom.js";
import { table } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { ago, players, resultOf } from "./words.js";

/**
 * A list of games, or the sentence that there are none.
 * @param {any[]} games @param {Map<string, any>} rules by slug @param {string} none
 * @param {(game: any) => any} [extra] more for each game
 */
export function gameList(games, rules, none, extra = () => null) {
  if (!games.length) return none ? h("p", { class: "faint" }, none) : null;
  return h("ul", { class: "list" }, games.map((game) => h("li", { class: "card game" }, gameLine(game, rules), extra(game))));
}

/** @param {any} game @param {Map<string, any>} rules */
function gameLine(game, rules) {
  const marks = [statusOf(game), game.rated && TEXT.rated, game.visibility === "private" && TEXT.privateGame];
  return h(
    "p",
    {},
    h("a", { href: `/t/${game.id}`, id: game.id }, titleOf(game, rules), ": ", players(game)),
    h("span", { class: "faint" }, marks.filter(Boolean).map((mark) => ` · ${mark}`), " · ", ago(game.updated)),
    waits(game) && game.deadline && h("span", { class: "faint" }, " · ", TEXT.until, " ", ago(game.deadline)),
  );
}

/** The title of a game's rules. @param {any} game @param {Map<string, any>} rules */
export function titleOf(game, rules) {
  return rules.get(game.rules)?.title ?? game.rules;
}

/** Whether a game waits for the person: to act, or to answer a proposal. @param {any} game */
export function waits(game) {
  return has(game, game.to_act) || asks(game);
}

/** @param {any} game */
function asks(game) {
  return has(game, game.proposal?.asked ?? []);
}

/** Whether one of the seats is the person's. @param {any} game @param {number[]} seats */
function has(game, seats) {
  return seats.some((seat) => game.your_seats.includes(seat));
}

/** @param {any} game */
function statusOf(game) {
  if (game.phase === "over") return resultOf(game);
  if (game.phase === "gathering") return TEXT.gathering;
  if (asks(game)) return TEXT.proposal;
  return waits(game) ? TEXT.yourTurn : TEXT.playing;
}

/**
 * A list of games that grows page by page.
 * @param {Map<string, any>} rules @param {string} none @param {(query: Record<string, any>) => Promise<any>} load
 */
export async function gamePages(rules, none, load) {
  let page = await load({ limit: 20 });
  const place = h("div", { class: "pages" }, gameList(page.items, rules, none));
  const more = button(TEXT.more, async () => {
    page = await load({ limit: 20, cursor: page.next_cursor });
    place.append(gameList(page.items, rules, none));
    more.hidden = !page.next_cursor;
  });
  more.hidden = !page.next_cursor;
  return [place, h("p", {}, more)];
}

/** Ratings by game. @param {any[]} ratings @param {Map<string, any>} rules */
export function ratingTable(ratings, rules) {
  const { game, rating, games, provisional } = TEXT.ratings;
  return table([game, rating, games], ratings.map((one) => [
    h("a", { href: `/ratings/${one.rules}` }, rules.get(one.rules)?.title ?? one.rules),
    one.is_provisional ? `${one.ordinal.toFixed(1)} (${provisional})` : one.ordinal.toFixed(1),
    one.games,
  ]));
}
