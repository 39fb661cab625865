/** A player as all see them: ratings, and public games. */

import { api, key } from "./account.js";
import { h } from "./dom.js";
import { gamePages, ratingTable } from "./lists.js";
import { addressed, section } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { dateOf } from "./words.js";

const WORDS = TEXT.player;
const ACCOUNT = addressed("account");

/** The content of the page. */
export async function page() {
  const [player, rules, me] = await Promise.all([
    api.call("getAccount", { path: { account: ACCOUNT } }), api.call("listRules"), key() && api.call("getMe"),
  ]);
  /** @type {Map<string, any>} */
  const bySlug = new Map(rules.items.map((/** @type {any} */ one) => [one.slug, one]));
  const name = player.name || TEXT.guest;
  document.title = `${name} – ${TEXT.site}`;
  return [
    h("h1", {}, name),
    h("p", { class: "faint" }, WORDS.since, " ", dateOf(player.created)),
    h("p", {}, WORDS.id, ": ", h("code", {}, player.id)),
    me?.id !== player.id && h("p", { class: "row" }, rules.items.map((/** @type {any} */ one) =>
      h("a", { class: "button", href: `/new/${one.slug}?account=${player.id}` }, WORDS.challengeIn(one.title)))),
    player.ratings.length > 0 && section("ratings", WORDS.ratings, ratingTable(player.ratings, bySlug)),
    section("games", WORDS.games, await gamePages(bySlug, WORDS.noGames, (query) =>
      api.call("listGames", { query: { account: player.id, order: "recent", ...query } }))),
  ];
}
