/** The first page: play at once, your games, open seats, games to watch, and the catalogue. */

import { api, ensureAccount, key, takeSeat } from "./account.js";
import { button, h, refill } from "./dom.js";
import { gameList, titleOf, waits } from "./lists.js";
import { keepCurrent, section } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { botWords, opponents, players, seatName } from "./words.js";

const WORDS = TEXT.home;

/** The content of the page. */
export async function page() {
  const [rules, bots, games] = await Promise.all([api.call("listRules"), api.call("listBots"), listGames()]);
  /** @type {Map<string, any>} */
  const bySlug = new Map(rules.items.map((/** @type {any} */ one) => [one.slug, one]));
  const mine = h("div");
  const others = h("div");
  const draw = (/** @type {any} */ all) => {
    refill(mine, all, () => urgent(all, bySlug));
    refill(others, all, () => further(all, bySlug));
  };
  draw(games);
  keepCurrent(async () => draw(await listGames()));
  return [
    h("h1", {}, WORDS.title),
    mine,
    h("section", { id: "play", "aria-labelledby": "play-title" },
      h("h2", { id: "play-title" }, WORDS.play),
      h("div", { class: "cards" }, rules.items.map((/** @type {any} */ one) => gameCard(one, bots.items)))),
    others,
    forPrograms(rules.items),
  ];
}

/** All lists of the page. Without an account there are no games of one's own. */
async function listGames() {
  const list = (/** @type {string} */ name, /** @type {Record<string, any>} */ query) =>
    api.call(name, { query, attempts: 2 }).then((page) => page.items);
  const mine = (/** @type {Record<string, any>} */ query) => (key() ? list("myGames", { order: "recent", ...query }) : []);
  const [playing, gathering, over, challenged, open, watched] = await Promise.all([
    mine({ phase: "playing", limit: 50 }),
    mine({ phase: "gathering", limit: 20 }),
    mine({ phase: "over", limit: 10 }),
    mine({ challenged: true, limit: 20 }),
    list("listGames", { open: true, order: "recent", limit: 20 }),
    list("listGames", { phase: "playing", order: "recent", limit: 20 }),
  ]);
  const isOthers = (/** @type {any} */ game) => !game.your_seats.length;
  return { playing, gathering, over, challenged, open: open.filter(isOthers), watched: watched.filter(isOthers) };
}

/** What waits for the person. @param {any} all @param {Map<string, any>} rules */
function urgent({ playing, challenged }, rules) {
  const waiting = playing.filter(waits);
  return [
    waiting.length > 0 && section("waiting", WORDS.waiting, gameList(waiting, rules, "")),
    challenged.length > 0 && section("challenges", WORDS.challenges, gameList(challenged, rules, "", challenge)),
  ];
}

/** @param {any} all @param {Map<string, any>} rules */
function further({ playing, gathering, over, open, watched }, rules) {
  const running = [...playing.filter((/** @type {any} */ game) => !waits(game)), ...gathering];
  return [
    running.length > 0 && section("running", WORDS.running, gameList(running, rules, "")),
    section("open", WORDS.open, gameList(open, rules, WORDS.noOpen, (game) => joinButton(game, titleOf(game, rules)))),
    section("watch", WORDS.watch, gameList(watched, rules, WORDS.noneWatched)),
    over.length > 0 && section("finished", WORDS.finished, gameList(over, rules, "")),
  ];
}

/** @param {any} game */
function challenge(game) {
  const asked = game.seats.find((/** @type {any} */ seat) => seat.kind === "challenge" && seat.account).seat;
  const answer = async (/** @type {string} */ operation) => {
    if (operation === "join") {
      await takeSeat(game.id, { seat: asked });
      location.assign(`/t/${game.id}`);
    } else {
      await api.call(operation, { path: { game: game.id }, body: { seat: asked } });
      dispatchEvent(new Event("focus")); // the lists look again
    }
  };
  return h("p", { class: "row" },
    button(WORDS.accept, () => answer("join"), { class: "primary", "aria-label": `${WORDS.accept}: ${players(game)}` }),
    button(WORDS.decline, () => answer("declineSeat"), { "aria-label": `${WORDS.decline}: ${players(game)}` }));
}

/** @param {any} game @param {string} title */
function joinButton(game, title) {
  const join = async () => {
    await takeSeat(game.id, { seat: game.open_seats[0] });
    location.assign(`/t/${game.id}`);
  };
  const host = game.seats.find((/** @type {any} */ seat) => seat.kind === "account");
  const label = WORDS.joinGame(title, host ? seatName(host) : TEXT.guest);
  return button(WORDS.join, join, { id: `join-${game.id}`, "aria-label": label });
}

/** A game that can be played by one press. @param {any} rules @param {any[]} bots */
function gameCard(rules, bots) {
  const { slug, title, seats: { fewest, most } } = rules;
  const able = opponents(bots, slug);
  const choices = able.map((bot, index) => h("option", { value: bot.name }, botWords(bot, slug, fewest, index === 0)));
  const select = h("select", { id: `against-${slug}` }, choices);
  const play = async () => {
    await ensureAccount();
    const others = Array.from({ length: fewest - 1 }, () => ({ kind: "bot", bot: select.value }));
    const game = await api.call("createGame", { body: { rules: slug, seats: [{ kind: "me" }, ...others] } });
    location.assign(`/t/${game.id}`);
  };
  const picture = api.address("rulesPicture", { path: { rules: slug }, query: { shape: "wide" } });
  const by = rules.designers.length > 0 && ` · ${WORDS.by(rules.designers.join(", "))}`;
  return h("article", { class: "card" },
    h("img", { src: picture, alt: WORDS.picture(title), loading: "lazy", width: 640, height: 320 }),
    h("h3", {}, title),
    h("p", {}, rules.summary),
    h("p", { class: "faint" }, WORDS.players(fewest, most), by),
    h("p", { class: "row play" },
      h("label", { for: select.id }, WORDS.against), select,
      button(WORDS.playButton, play, { class: "primary", "aria-label": WORDS.playGame(title) })),
    h("p", { class: "row links" },
      h("a", { href: `/rules/${slug}`, "aria-label": `${WORDS.rules}: ${title}` }, WORDS.rules),
      h("a", { href: `/new/${slug}`, "aria-label": `${WORDS.options}: ${title}` }, WORDS.options),
      h("a", { href: `/ratings/${slug}`, "aria-label": `${WORDS.ratings}: ${title}` }, WORDS.ratings)));
}

/** @param {any[]} rules */
function forPrograms(rules) {
  const schemas = (/** @type {any} */ one) =>
    Object.entries(WORDS.schema).map(([part, label]) => [" · ", h("a", { href: one.links[part], "aria-label": `${one.title}: ${label}` }, label)]);
  return section("programs", WORDS.programs, [
    h("p", { class: "row links" }, h("a", { href: "/guides" }, WORDS.guides), h("a", { href: "/api/v1/docs" }, WORDS.reference), h("a", { href: "/verify" }, WORDS.verify), h("a", { href: "/record" }, TEXT.record.title)),
    h("h3", {}, WORDS.schemas),
    h("ul", {}, rules.map((one) => h("li", { class: "links" }, one.title, schemas(one)))),
  ]);
}
