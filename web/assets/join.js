/** An invitation: its secret stands in the fragment of the address alone, which no server is sent. */

import { api, key, takeSeat } from "./account.js";
import { button, h } from "./dom.js";
import { Problem } from "./api.js";
import { addressed } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { clockWords, seatName, valueWords } from "./words.js";

const WORDS = TEXT.join;
const GAME = addressed("game");

/** The content of the page. */
export async function page() {
  const [secret, seat] = invitation();
  const game = await api.call("getGame", { path: { game: GAME } }).catch(missing);
  const title = h("h1", {}, WORDS.title);
  if (game?.your_seats.length) return [title, sentence(WORDS.yours), away(game)];
  if (game && game.phase !== "gathering") return [title, sentence(WORDS.begun), away(game)];
  if (!secret) return [title, sentence(WORDS.noSecret), away(game)];
  const rules = game && (await api.call("getRules", { path: { rules: game.rules } }));
  const answer = h("div", { role: "status" });
  const join = button(WORDS.button, async () => {
    try {
      await sitDown(secret, seat === null ? reserved(game) : [seat]);
    } catch (failure) {
      if (!(failure instanceof Problem) || ![403, 404, 409].includes(failure.status)) throw failure;
      answer.replaceChildren(sentence(failure.status === 404 ? WORDS.missing : WORDS.refused), away(game));
    }
  }, { class: "primary" });
  const account = !key() && h("p", { class: "faint" }, WORDS.account);
  return [title, game ? description(game, rules, seat) : h("p", {}, WORDS.private), h("p", {}, join), account, answer];
}

/** The secret and the seat of the address: `#inv_….2`, or without the seat. @returns {[string, number | null]} */
function invitation() {
  const found = /^#(inv_[0-9a-zA-Z_-]+)(?:\.(\d+))?$/.exec(location.hash);
  return [found?.[1] ?? "", found?.[2] === undefined ? null : Number(found[2])];
}

/** A private game is seen by its players alone. @param {any} failure */
function missing(failure) {
  if (failure.status !== 404) throw failure;
  return null;
}

/** Take the first of these seats that the secret opens. @param {string} secret @param {number[]} seats */
async function sitDown(secret, seats) {
  for (const [index, seat] of seats.entries()) {
    try {
      await takeSeat(GAME, { seat, invitation: secret });
      break;
    } catch (failure) {
      if (index === seats.length - 1) throw failure;
    }
  }
  history.replaceState(null, "", location.pathname);
  location.assign(`/t/${GAME}`);
}

/** The seats that are kept for invited players. @param {any} game @returns {number[]} */
function reserved(game) {
  const seats = (game?.seats ?? []).filter((/** @type {any} */ one) => one.kind === "invite");
  return seats.length ? seats.map((/** @type {any} */ one) => one.seat) : [0];
}

/** @param {string} text */
function sentence(text) {
  return h("p", { class: "problem" }, text);
}

/** @param {any} game */
function away(game) {
  return h("p", {}, game ? h("a", { class: "button", href: `/t/${GAME}` }, WORDS.watch) : h("a", { class: "button", href: "/" }, WORDS.home));
}

/** @param {any} game @param {any} rules @param {number | null} seat */
function description(game, rules, seat) {
  const values = game.options ?? {};
  const options = rules.options.filter((/** @type {any} */ option) => option.name in values);
  const rows = options.map((/** @type {any} */ option) => [option.title, valueWords(option, values[option.name])]);
  const facts = [[TEXT.newGame.clock, clockWords(game.clock)], ...rows];
  return [
    h("h2", {}, rules.title),
    h("p", {}, rules.summary, " ", h("a", { href: `/rules/${rules.slug}` }, TEXT.home.rules)),
    h("h3", {}, WORDS.who),
    h("ol", { class: "list" }, game.seats.map((/** @type {any} */ one) =>
      h("li", {}, TEXT.newGame.seat(one.seat), ": ", one.seat === seat ? h("strong", {}, TEXT.you) : seatName(one)))),
    h("h3", {}, WORDS.options),
    h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
  ];
}
