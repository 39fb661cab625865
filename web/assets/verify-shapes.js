/** The forms of an export's lines: canonical JSON and the shapes of docs/fairness.md, parts 1 and 5. */

/** A refusal: its reason is a key of `REASONS` in strings/reasons.js, its check one of `CHECKS` in verify.js. */
export class Wrong extends Error {
  /** @param {string} reason @param {string} [check] where it is not the one that is going on */
  constructor(reason, check) {
    super(reason);
    this.check = check;
  }
}

/** @param {unknown} condition @param {string} reason @param {string} [check] @returns {asserts condition} */
export function need(condition, reason, check) {
  if (!condition) throw new Wrong(reason, check);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The only valid text of a document. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  const pairs = keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${pairs.join(",")}}`;
}

/** @param {any} value @returns {boolean} */
function isOfThisJson(value) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isOfThisJson);
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, item]) => /^[\x00-\x7f]*$/.test(key) && isOfThisJson(item));
}

/** The document of a line. @param {Uint8Array} line */
export function parsed(line) {
  need(line.length <= 8 * 1024 * 1024, "a line is too long");
  need(line.length > 0 && line[line.length - 1] === 0x0a, "truncated line");
  try {
    const text = UTF8.decode(line.subarray(0, -1));
    const document = JSON.parse(text);
    need(isOfThisJson(document) && canonical(document) === text, "not canonical");
    return document;
  } catch {
    throw new Wrong("not canonical");
  }
}

/** @typedef {(value: any) => boolean} Kind */

/** @param {RegExp} pattern @returns {Kind} */
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
/** @param {number} low @param {number} [high] @returns {Kind} */
const within = (low, high = Number.MAX_SAFE_INTEGER) => (value) => Number.isInteger(value) && value >= low && value <= high;
/** @param {any} value */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {any} value @param {string} name */
export const has = (value, name) => Object.hasOwn(value, name);

/** @param {any} value */
function isTime(value) {
  if (!matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) || value.startsWith("0000")) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

/** @satisfies {Record<string, Kind>} */
export const KINDS = {
  hash: matches(/^[0-9a-f]{64}$/), game: matches(/^game_[0-9a-f]{32}$/), slug: matches(/^[a-z][a-z0-9_]*$/),
  seed: matches(/^([0-9a-f]{2}){16,64}$/), signature: matches(/^[0-9a-f]{128}$/), expiry: matches(/^(bot|random|resign)$/),
  level: within(1, 2), ms: within(1000, 2592000000), seat: within(0, 61), seats: within(1, 62), seq: within(1), version: within(1),
  size: within(0), number: within(Number.MIN_SAFE_INTEGER), text: (value) => typeof value === "string", object: isObject, time: isTime,
  mark: (value) => value === true, link: matches(/^game_[0-9a-f]{32}$/),
  agreement: matches(/^(draw|end|takeback|pause)$/), departure: matches(/^(bot|resign)$/),
  viewer: matches(/^(everything|onlooker|seat:(0|[1-9]\d?))$/), format: matches(/^export\/[123]$/), leaf: matches(/^(game|blind)\/1$/),
};
/** @type {Record<string, string>} */
export const OBJECTS = {
  clock: "action_ms:ms then:expiry",
  origin: "game:game hash:hash seat:seat? seq:seq",
  result: "reason:text scores:number*? winners:seat*",
  receipt: "game:game hash:hash key:hash seq:seq signature:signature",
  header: "tabularium:format game:game rules:slug version:version seats:seats viewer:viewer key:hash",
  entry: "seq:seq game:game prev:hash at:time seat:seat? action:object? sealed:object",
  reveal: "fields:object salts:object?",
  trailer: "count:seq head:hash receipts:receipt*",
  record: "leaf:leaf proof:text",
  "table.create": "type:text rules:slug version:version digest:hash seats:seats options:object commitment:hash key:hash clock:clock? origin:origin? rated:mark hints:mark rematch:link",
  "table.join": "type:text bot:text? seed_hash:hash?",
  "table.leave": "type:text",
  "table.open_seed": "type:text seed:seed",
  "table.start": "type:text level:level position:object?",
  "table.resign": "type:text",
  "table.time_out": "type:text then:expiry",
  "table.replace": "type:text bot:text",
  "table.end": "type:text secret:hash result:result?",
  "table.abort": "type:text",
  "table.propose": "type:text of:agreement to:seq?",
  "table.accept": "type:text proposal:seq",
  "table.decline": "type:text proposal:seq",
  "table.takeback": "type:text to:seq",
  "table.pause": "type:text",
  "table.resume": "type:text",
  "table.claim": "type:text seat:seat then:departure",
  "table.expire": "type:text",
  "table.hint": "type:text",
};
/** The types of entries that only an export/2 has: what people agree on, and how they leave. */
export const ONLY_IN_2 = Object.keys(OBJECTS).slice(Object.keys(OBJECTS).indexOf("table.end") + 1);

/** The fields of objects, with their kinds. */
const FIELDS = /** @type {Record<string, [string, string][]>} */ (
  Object.fromEntries(Object.entries(OBJECTS).map(([name, text]) => [name, text.split(" ").map((field) => field.split(":"))]))
);

/** @param {any} value @param {string} kind @returns {boolean} */
export function fits(value, kind) {
  if (kind.endsWith("?")) return value === null || fits(value, kind.slice(0, -1));
  if (kind.endsWith("*")) return Array.isArray(value) && value.every((item) => fits(item, kind.slice(0, -1)));
  const check = /** @type {Record<string, Kind>} */ (KINDS)[kind];
  if (check) return check(value);
  if (!isObject(value)) return false;
  const fields = (FIELDS[kind] ?? []).filter(([name, of]) => !["mark", "link"].includes(of) || has(value, name));
  return Object.keys(value).length === fields.length
    && fields.every(([name, of]) => has(value, name) && fits(value[name], of));
}
