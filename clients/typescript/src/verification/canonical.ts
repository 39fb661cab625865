/** Canonical JSON: the one text of a document (docs/fairness.md, part 1). */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A flaw of an export, with the line of the file or the entry, counted from 1, where it is known. */
export class InvalidExport extends Error {
  override name = "InvalidExport";
  readonly sentence: string;
  readonly line: number | undefined;
  readonly seq: number | undefined;

  constructor(sentence: string, place: { line?: number | undefined; seq?: number | undefined } = {}) {
    const where = place.line !== undefined ? `line ${place.line}: ` : place.seq !== undefined ? `entry ${place.seq}: ` : "";
    super(where + sentence);
    this.sentence = sentence;
    this.line = place.line;
    this.seq = place.seq;
  }
}

/** Throw InvalidExport with this sentence unless the condition holds. */
export function need(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvalidExport(sentence);
}

const LONGEST_LINE = 8 * 1024 * 1024; // bytes
const LINE_FEED = 0x0a;

export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`);
  return `{${members.join(",")}}`;
}

/** Whether a value has only what canonical JSON allows. */
function isPlain(value: Json): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(isPlain);
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, item]) => /^[\x00-\x7f]*$/.test(key) && isPlain(item));
}

/** The document of a line, which ends with a line feed and must be canonical. */
export function parsed(line: Uint8Array): Json {
  need(line.length <= LONGEST_LINE, `The line is longer than ${LONGEST_LINE} bytes.`);
  need(line[line.length - 1] === LINE_FEED, "The line is truncated: it does not end with a line feed.");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line.subarray(0, -1));
    const document = JSON.parse(text) as Json;
    need(isPlain(document) && canonical(document) === text, "The line is not canonical.");
    return document;
  } catch (problem) {
    if (problem instanceof InvalidExport) throw problem;
    throw new InvalidExport(`The line is not canonical JSON: ${(problem as Error).message}`);
  }
}
