/** The leaderboard of a game: people and bots, the strongest first. */

import { api } from "./account.js";
import { button, h } from "./dom.js";
import { addressed, table } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { botName } from "./words.js";

const WORDS = TEXT.ratings;
const SLUG = addressed("rules");

/** The content of the page. */
export async function page() {
  const [rules, all] = await Promise.all([api.call("getRules", { path: { rules: SLUG } }), leaders(null)]);
  document.title = `${WORDS.title(rules.title)} – ${TEXT.site}`;
  return [
    h("h1", {}, WORDS.title(rules.title)),
    h("p", {}, WORDS.intro),
    h("p", { class: "row" },
      h("a", { class: "button", href: `/new/${SLUG}` }, TEXT.rules.newGame),
      h("a", { class: "button", href: `/rules/${SLUG}` }, TEXT.home.rules)),
    all.items.length ? board(all) : h("p", { class: "faint" }, WORDS.none),
  ];
}

/** @param {string | null} cursor */
function leaders(cursor) {
  return api.call("listRatings", { path: { rules: SLUG }, query: { limit: 50, cursor } });
}

/** @param {any} first */
function board(first) {
  const whole = table([WORDS.rank, WORDS.player, WORDS.rating, WORDS.games], first.items.map(row));
  const body = whole.querySelector("tbody");
  let { next_cursor: cursor } = first;
  const more = button(TEXT.more, async () => {
    const next = await leaders(cursor);
    const rank = body.children.length;
    const rows = table([], next.items.map((/** @type {any} */ one, /** @type {number} */ index) => row(one, rank + index)));
    body.append(...rows.querySelectorAll("tbody tr"));
    cursor = next.next_cursor;
    more.hidden = !cursor;
  });
  more.hidden = !cursor;
  return [whole, h("p", {}, more)];
}

/** @param {any} rating @param {number} index */
function row(rating, index) {
  const value = rating.ordinal.toFixed(1);
  return [index + 1, player(rating), rating.is_provisional ? `${value} (${WORDS.provisional})` : value, rating.games];
}

/** @param {any} rating */
function player(rating) {
  if (rating.kind === "bot") return `${botName(rating.bot)} (${WORDS.bot})`;
  const name = rating.name || TEXT.guest;
  return h("a", { href: `/players/${rating.account}` }, rating.is_you ? `${name} (${TEXT.you})` : name);
}
