/** The shapes of the lines of an export (docs/fairness.md, parts 5 and 6). */

import { need, type Json, type JsonObject } from "./canonical.js";

const LARGEST = Number.MAX_SAFE_INTEGER;
const PATTERNS: Record<string, RegExp> = {
  agreement: /^(draw|end|takeback|pause)$/,
  departure: /^(bot|resign)$/,
  expiry: /^(bot|random|resign)$/,
  format: /^export\/[123]$/,
  game: /^game_[0-9a-f]{32}$/,
  hash: /^[0-9a-f]{64}$/,
  leaf: /^(game|blind)\/1$/,
  link: /^game_[0-9a-f]{32}$/,
  seed: /^([0-9a-f]{2}){16,64}$/,
  signature: /^[0-9a-f]{128}$/,
  slug: /^[a-z][a-z0-9_]*$/,
  text: /^/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  viewer: /^(everything|onlooker|seat:(0|[1-9]\d?))$/,
};
const RANGES: Record<string, [low: number, high: number]> = {
  level: [1, 2],
  ms: [1000, 30 * 24 * 3600 * 1000],
  number: [-LARGEST, LARGEST],
  seat: [0, 61],
  seats: [1, 62],
  seq: [1, LARGEST],
  size: [0, LARGEST],
  version: [1, LARGEST],
};
/** The kinds of fields that may be missing. */
const MISSING = ["mark", "link"];
/** `name:kind` of every field; `?` is "or null", `*` is "a list of". */
const SHAPES: Record<string, string> = {
  header: "tabularium:format game:game rules:slug version:version seats:seats viewer:viewer key:hash",
  entry: "action:object? at:time game:game prev:hash sealed:object seat:seat? seq:seq",
  reveal: "fields:object salts:object?",
  trailer: "count:seq head:hash receipts:receipt*",
  record: "leaf:leaf proof:text",
  receipt: "game:game hash:hash key:hash seq:seq signature:signature",
  clock: "action_ms:ms then:expiry",
  origin: "game:game hash:hash seat:seat? seq:seq",
  result: "reason:text scores:number*? winners:seat*",
  "table.create":
    "type:text rules:slug version:version digest:hash seats:seats options:object"
    + " commitment:hash key:hash clock:clock? origin:origin? rated:mark"
    + " hints:mark rematch:link",
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
const TYPES = Object.keys(SHAPES);
/** The types of entries that only an export/2 has. */
export const ONLY_IN_2 = TYPES.slice(TYPES.indexOf("table.end") + 1);

export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function isShape(kind: string): boolean {
  return Object.hasOwn(SHAPES, kind);
}

/** Whether a value is of this kind. */
export function fits(value: Json | undefined, kind: string): boolean {
  if (kind.endsWith("?")) return value === null || fits(value, kind.slice(0, -1));
  if (kind.endsWith("*")) return Array.isArray(value) && value.every((item) => fits(item, kind.slice(0, -1)));
  if (kind === "mark") return value === true;
  const pattern = PATTERNS[kind];
  if (pattern) return typeof value === "string" && pattern.test(value) && (kind !== "time" || isDate(value));
  const range = RANGES[kind];
  if (range) return typeof value === "number" && Number.isInteger(value) && value >= range[0] && value <= range[1];
  return isObject(value) && hasFields(value, SHAPES[kind]);
}

function hasFields(value: JsonObject, shape: string | undefined): boolean {
  if (shape === undefined) return true; // any object
  const fields = shape.split(" ").map((field) => field.split(":") as [name: string, kind: string]);
  const due = fields.filter(([name, kind]) => !MISSING.includes(kind) || Object.hasOwn(value, name));
  return Object.keys(value).length === due.length
    && due.every(([name, kind]) => Object.hasOwn(value, name) && fits(value[name], kind));
}

/** Whether there is such a day and time of day, from the year 1 on. */
function isDate(text: string): boolean {
  const time = new Date(text);
  return !text.startsWith("0000") && !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

/** The value, which must be of this kind. */
export function shaped<Shape>(value: Json | undefined, kind: string): Shape {
  need(fits(value, kind), `This is not a valid ${kind}: a field is missing, unknown or of the wrong kind.`);
  return value as Shape;
}

// -- the documents that have these shapes -------------------------------------------------------------

export interface Header {
  tabularium: "export/1" | "export/2" | "export/3";
  game: string;
  rules: string;
  version: number;
  seats: number;
  viewer: string;
  key: string;
}

export interface LogEntry {
  seq: number;
  game: string;
  prev: string;
  at: string;
  seat: number | null;
  action: JsonObject | null;
  sealed: Record<string, string>;
}

export interface Create {
  type: string;
  rules: string;
  version: number;
  seats: number;
  key: string;
  commitment: string;
  clock: { then: string } | null;
  origin: { seat: number | null } | null;
  rated?: true;
  hints?: true;
  rematch?: string;
}

export interface SignedHead {
  game: string;
  seq: number;
  hash: string;
  key: string;
  signature: string;
}

export interface Trailer {
  count: number;
  head: string;
  receipts: SignedHead[];
}

/** The line with the proof from the record: the kind of the game's leaf, and the proof. */
export interface Leaf {
  leaf: "game/1" | "blind/1";
  proof: string;
}
