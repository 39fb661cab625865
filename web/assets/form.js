/** The form of a new game as data: what its fields stand for in the API, and where a refusal belongs. Pure. */

export const CLOCKS = [30_000, 60_000, 300_000, 600_000, 3_600_000, 86_400_000, 259_200_000, 604_800_000]; // milliseconds
const NULL = "null"; // in fields whose other values are JSON

/** The name of an option's field; `/` stands in no name of an option. @param {string} name */
export function optionField(name) {
  return `options/${name}`;
}

/** The value of a field that has choices, as its text. @param {any} value */
export function choiceText(value) {
  return JSON.stringify(value);
}

/** The choices of an option, with null where it is a value; none if it is no choice. @param {any} option @param {string} nullTitle */
export function choicesOf(option, nullTitle) {
  const choices = option.kind === "switch" && option.may_be_null ? SWITCH : option.choices;
  return choices.length && option.may_be_null ? [{ value: null, title: nullTitle }, ...choices] : choices;
}

const SWITCH = [{ value: true, title: "Yes" }, { value: false, title: "No" }];

/**
 * The value of an option from its field; undefined leaves it to the server.
 * @param {any} option @param {string | null} text
 */
export function optionValue(option, text) {
  if (option.kind === "other") return undefined;
  if (choicesOf(option, "").length) return text === null ? undefined : JSON.parse(text);
  if (option.kind === "switch") return text !== null;
  if (option.kind === "text") return text || (option.may_be_null ? null : "");
  if (!text?.trim()) return option.may_be_null ? null : undefined;
  return Number(text);
}

/** What a seat's field means. @param {string} choice `me`, `open`, `invite`, `account` or `bot:` and its name @param {string} account */
export function seatOf(choice, account) {
  if (choice.startsWith("bot:")) return { kind: "bot", bot: choice.slice(4) };
  return choice === "account" ? { kind: "account", account: account.trim() } : { kind: choice };
}

/**
 * The body of POST /games.
 * @param {Map<string, string>} fields the form's fields that have a value, by name @param {any} rules
 */
export function bodyOf(fields, rules) {
  const text = (/** @type {string} */ name) => fields.get(name) ?? null;
  const seats = Array.from({ length: Number(text("seats")) }, (_, seat) =>
    seatOf(text(`seats/${seat}`) ?? "me", text(`seats/${seat}/account`) ?? ""));
  const values = rules.options.map((/** @type {any} */ option) => [option.name, optionValue(option, text(optionField(option.name)))]);
  const clock = text("clock");
  return {
    rules: rules.slug,
    seats,
    options: Object.fromEntries(values.filter((/** @type {any[]} */ [, value]) => value !== undefined)),
    ...(clock && { clock: clock === NULL ? null : { action_ms: Number(clock), then: text("then") ?? "bot" } }),
    visibility: text("visibility") ?? "public",
    rated: text("rated") !== null,
    hints: text("hints") !== null,
  };
}

/**
 * The errors of a refusal by field; those that belong to none are under "".
 * @param {any} problem @param {(name: string) => boolean} isField @returns {Map<string, string[]>}
 */
export function errorsByField(problem, isField) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const whole = { pointer: placeOf(problem.code ?? ""), detail: problem.detail ?? problem.title };
  const errors = problem.errors?.length ? problem.errors : [whole];
  for (const { pointer, detail } of errors) {
    const field = fieldOf(pointer ?? "", isField);
    found.set(field, [...(found.get(field) ?? []), detail]);
  }
  return found;
}

/** The place of a problem without a pointer. @param {string} code */
function placeOf(code) {
  if (code === "rated-clock") return "/clock";
  return code.startsWith("rated-") ? "/rated" : "";
}

/** The field of a place in the body: the nearest around it. @param {string} pointer @param {(name: string) => boolean} isField */
export function fieldOf(pointer, isField) {
  const parts = pointer.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  if (parts[0] === "clock" && parts[1] === "then") return "then";
  while (parts.length && !isField(parts.join("/"))) parts.pop();
  return parts.join("/");
}

/**
 * Who sits where at first: the person, and bots; or the account, or the bot, that the address names.
 * @param {number} seats @param {string} bot @param {URLSearchParams} query
 */
export function firstSeats(seats, bot, query) {
  const other = query.get("account") ? "account" : query.get("with") ?? `bot:${query.get("bot") ?? bot}`;
  return Array.from({ length: seats }, (_, seat) => (seat === 0 ? "me" : seat === 1 ? other : `bot:${bot}`));
}
