/** A game: its rule book, its variants in words, and how strong the bots are. */

import { api } from "./account.js";
import { h } from "./dom.js";
import { markdown } from "./markdown.js";
import { addressed, section, table } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { botName, percent, valueWords } from "./words.js";

const WORDS = TEXT.rules;
const SLUG = addressed("rules");

/** The content of the page. */
export async function page() {
  const path = { rules: SLUG };
  const [rules, text, bots] = await Promise.all([
    api.call("getRules", { path }),
    api.call("rulesText", { path, accept: "text/markdown, text/plain;q=0.5" }),
    api.call("listBots"),
  ]);
  document.title = `${rules.title} – ${TEXT.site}`;
  return [
    h("h1", {}, rules.title),
    h("p", {}, rules.summary),
    h("p", { class: "faint" }, facts(rules)),
    !rules.proven && h("p", { class: "problem" }, WORDS.unproven),
    h("p", { class: "row" },
      h("a", { class: "button primary", href: `/new/${SLUG}` }, WORDS.newGame),
      h("a", { class: "button", href: `/ratings/${SLUG}` }, TEXT.home.ratings),
      rules.options.length > 0 && h("a", { class: "button", href: "#of-options" }, WORDS.options),
      h("a", { class: "button", href: "#of-levels" }, WORDS.levels)),
    h("img", { class: "deal", src: api.address("rulesPicture", { path, query: { shape: "wide" } }), alt: TEXT.home.picture(rules.title), width: 960, height: 480 }),
    h("article", { class: "book", lang: "en" }, book(text)),
    variants(rules.options),
    strengths(bots.items),
  ];
}

/** @param {any} rules */
function facts({ seats, designers }) {
  const players = TEXT.home.players(seats.fewest, seats.most);
  return designers.length ? `${players} · ${WORDS.by} ${designers.join(", ")}` : players;
}

/** The rule book without its title, which the page has. @param {string} text */
function book(text) {
  const elements = markdown(text);
  return elements[0]?.localName === "h1" ? elements.slice(1) : elements;
}

/** @param {any} strength */
function rangeWords({ share, low, high }) {
  return `${percent(share)}\u00a0(${Math.round(low * 100)}–${percent(high)})`;
}

/** @param {any[]} options */
function variants(options) {
  if (!options.length) return null;
  const rows = options.map((option) => [option.title, option.description, choiceWords(option), valueWords(option, option.default)]);
  return section("of-options", WORDS.options, table([WORDS.option, WORDS.meaning, WORDS.choices, WORDS.standard], rows));
}

/** @param {any} option */
function choiceWords(option) {
  if (option.kind === "number") return WORDS.from(option.minimum, option.maximum);
  if (option.kind === "switch") return `${WORDS.yes}, ${WORDS.no}`;
  return option.choices.map((/** @type {any} */ choice) => choice.title).join(", ");
}

/** @param {any[]} bots */
function strengths(bots) {
  const rows = bots.flatMap((bot) =>
    bot.strength
      .filter((/** @type {any} */ one) => one.rules === SLUG && Object.keys(one.options ?? {}).length <= 1)
      .map((/** @type {any} */ one) => [
        botName(bot.name), botName(one.opponent), one.seats, rangeWords(one),
        percent(one.par), one.games,
      ]));
  if (!rows.length) return null;
  const head = [WORDS.bot, WORDS.opponent, WORDS.players, WORDS.share, WORDS.equal, WORDS.games];
  return section("of-levels", WORDS.levels, [h("p", {}, WORDS.levelsIntro), table(head, rows)]);
}
