/** A new game: who plays, the variant, the clock; and the links for friends once it is set up. */

import { api, ensureAccount } from "./account.js";
import { fill, h } from "./dom.js";
import { bodyOf, choicesOf, choiceText, CLOCKS, errorsByField, firstSeats, optionField } from "./form.js";
import { inline } from "./markdown.js";
import { addressed, copyButton } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { botWords, durationWords, invitationLink, opponents } from "./words.js";

const WORDS = TEXT.newGame;
const QUERY = new URLSearchParams(location.search);

/** The content of the page. */
export async function page() {
  const slug = addressed("rules");
  const [rules, bots] = await Promise.all([api.call("getRules", { path: { rules: slug } }), api.call("listBots")]);
  document.title = `${WORDS.title(rules.title)} – ${TEXT.site}`;
  const place = h("div", {}, gameForm(rules, bots.items, (game) => fill(place, made(game))));
  return [h("h1", {}, WORDS.title(rules.title)), place];
}

/** @param {any} rules @param {any[]} bots @param {(game: any) => void} done */
function gameForm(rules, bots, done) {
  const problems = h("div", { role: "alert", tabindex: -1 });
  const form = h("form", { class: "new", novalidate: true },
    problems, seatFields(rules, bots), optionFields(rules), tableFields(),
    h("p", {}, h("button", { class: "primary" }, WORDS.create)));
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (form.getAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    showErrors(form, problems, new Map());
    try {
      await ensureAccount();
      const fields = new Map([...new FormData(form)].map(([name, value]) => [name, String(value)]));
      const body = bodyOf(fields, rules);
      if (fields.has("seeds")) await promiseSeeds(body.seats);
      const game = await api.call("createGame", { body });
      if (game.invitations.length) done(game);
      else location.assign(`/t/${game.id}`);
    } catch (failure) {
      const problem = /** @type {any} */ (failure);
      showErrors(form, problems, errorsByField(problem.body ?? { detail: problem.message }, (name) => name in form.elements));
    }
    form.removeAttribute("aria-busy");
  });
  return form;
}

/** Give own seats a seed of this browser each, which the table opens. @param {any[]} seats */
async function promiseSeeds(seats) {
  const { newSeed } = await import("./seeds.js");
  for (const seat of seats) if (seat.kind === "me") seat.seed_hash = newSeed();
}

/** Say each error at its field, and all of them above the form. @param {any} form @param {any} problems @param {Map<string, string[]>} errors */
function showErrors(form, problems, errors) {
  for (const place of form.querySelectorAll(".error")) place.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const [name, details] of errors) {
    const field = name && form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (!field) continue;
    const id = `${field.id}-error`;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", [field.dataset.hint, id].filter(Boolean).join(" "));
    field.closest(".field").append(h("p", { id, class: "error problem" }, details.join(" ")));
  }
  const items = [...errors].flatMap(([name, details]) => details.map((detail) => errorItem(form, name, detail)));
  fill(problems, items.length > 0 && h("div", { class: "problem" }, h("p", {}, WORDS.wrong), h("ul", {}, items)));
  if (items.length) problems.focus();
}

/** @param {any} form @param {string} name @param {string} detail */
function errorItem(form, name, detail) {
  const field = name && form.querySelector(`[name="${CSS.escape(name)}"]`);
  const label = field && (field.labels?.[0]?.textContent ?? "");
  return h("li", {}, label ? [h("a", { href: `#${field.id}` }, label), ": ", detail] : detail);
}

/** A field with its label, and perhaps a hint. @param {any} input @param {string} label @param {string} [hint] */
function field(input, label, hint) {
  const id = input.getAttribute("name").replace(/\//g, "-");
  input.id = id;
  const isTick = input.type === "checkbox";
  const words = h("label", { for: id }, label);
  if (hint) {
    input.setAttribute("data-hint", `${id}-hint`);
    input.setAttribute("aria-describedby", `${id}-hint`);
  }
  return h("div", { class: "field" },
    isTick ? h("div", { class: "tick" }, input, words) : [words, input],
    hint && h("p", { class: "faint", id: `${id}-hint` }, inline(hint)));
}

/** @param {string} name @param {[string, string][]} choices value and title @param {string} [chosen] */
function select(name, choices, chosen) {
  return h("select", { name }, choices.map(([value, title]) => h("option", { value, selected: value === chosen }, title)));
}

/** @param {any} rules @param {any[]} bots */
function seatFields({ slug, seats: { fewest, most } }, bots) {
  const counts = Array.from({ length: most - fewest + 1 }, (_, index) => String(fewest + index));
  const count = select("seats", counts.map((one) => [one, one]));
  const place = h("div");
  const first = firstSeats(most, opponents(bots, slug)[0]?.name ?? "", QUERY);
  const chosen = () => /** @type {any} */ (place.querySelectorAll("select"));
  const draw = () => {
    chosen().forEach((/** @type {any} */ one, /** @type {number} */ seat) => (first[seat] = one.value));
    fill(place, first.slice(0, Number(count.value)).map((one, seat) => seatField(seat, one, slug, bots, Number(count.value))));
  };
  count.addEventListener("change", draw);
  draw();
  return h("fieldset", {}, h("legend", {}, WORDS.seats), field(count, WORDS.howMany), place);
}

/** @param {number} seat @param {string} chosen @param {string} slug @param {any[]} bots @param {number} seats */
function seatField(seat, chosen, slug, bots, seats) {
  const able = bots.filter((bot) => bot.rules.includes(slug));
  const options = (/** @type {[string, string][]} */ some) =>
    some.map(([value, title]) => h("option", { value, selected: value === chosen }, title));
  const input = h("select", { name: `seats/${seat}` },
    h("optgroup", { label: WORDS.people }, options([["me", WORDS.me], ["invite", WORDS.invite], ["open", WORDS.open], ["account", WORDS.account]])),
    h("optgroup", { label: WORDS.bots }, options(able.map((bot) => [`bot:${bot.name}`, botWords(bot, slug, seats, false)]))));
  const account = h("input", { name: `seats/${seat}/account`, value: QUERY.get("account") ?? "", autocomplete: "off", spellcheck: "false" });
  const place = h("div");
  const draw = () => fill(place, input.value === "account" && field(account, WORDS.accountOf(seat), WORDS.accountHint));
  input.addEventListener("change", draw);
  draw();
  return [field(input, WORDS.seat(seat)), place];
}

/** @param {any} rules */
function optionFields(rules) {
  const options = rules.options.filter((/** @type {any} */ option) => option.kind !== "other");
  const fields = options.map((/** @type {any} */ option) => field(optionInput(option), option.title, optionHint(option)));
  return h("fieldset", {}, h("legend", {}, WORDS.options), fields.length ? fields : h("p", {}, WORDS.noOptions));
}

/** @param {any} option */
function optionHint(option) {
  const isFree = option.may_be_null && ["number", "text"].includes(option.kind);
  return isFree ? `${option.description} ${WORDS.nullHint}` : option.description;
}

/** @param {any} option */
function optionInput(option) {
  const name = optionField(option.name);
  const choices = choicesOf(option, WORDS.nullChoice);
  if (choices.length) {
    return select(name, choices.map((/** @type {any} */ one) => [choiceText(one.value), one.title]), choiceText(option.default));
  }
  if (option.kind === "switch") return h("input", { type: "checkbox", name, checked: option.default });
  if (option.kind === "text") return h("input", { name, value: option.default });
  return h("input", { type: "number", name, min: option.minimum, max: option.maximum, step: 1, value: option.default, inputmode: "numeric" });
}

function tableFields() {
  /** @type {[string, string][]} */
  const clocks = [["", WORDS.usualClock], ["null", WORDS.noClock], ...CLOCKS.map((ms) => /** @type {[string, string]} */ ([String(ms), durationWords(ms)]))];
  return h("fieldset", {}, h("legend", {}, WORDS.table),
    field(select("clock", clocks), WORDS.clock),
    field(select("then", Object.entries(WORDS.thenOf)), WORDS.then),
    field(select("visibility", [["public", WORDS.public], ["private", WORDS.private]]), WORDS.visibility),
    field(h("input", { type: "checkbox", name: "rated" }), WORDS.rated),
    field(h("input", { type: "checkbox", name: "seeds" }), WORDS.seeds, WORDS.seedsHint),
    field(h("input", { type: "checkbox", name: "hints" }), WORDS.hints));
}

/** The links for invited friends. @param {any} game */
function made(game) {
  const rows = game.invitations.map((/** @type {any} */ { seat, secret }) => {
    const link = invitationLink(game.id, seat, secret);
    const input = h("input", { id: `link-${seat}`, class: "wide", readonly: true, value: link, onfocus: () => input.select() });
    return h("div", { class: "field" }, h("label", { for: input.id }, WORDS.linkOf(seat)),
      h("div", { class: "row" }, input, copyButton(() => link, { "aria-label": `${TEXT.copy}: ${WORDS.linkOf(seat)}` })));
  });
  const title = h("h2", { tabindex: -1 }, WORDS.made);
  queueMicrotask(() => title.focus());
  return [title, h("p", {}, WORDS.links), rows, h("p", {}, h("a", { class: "button primary", href: `/t/${game.id}` }, WORDS.toTable))];
}
