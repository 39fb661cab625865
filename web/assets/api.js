/** Calls of the API: the only module that fetches. Every call is repeated until it is answered, and a POST
 *  has one idempotency key for all attempts, so that it is done once. */

import { OPERATIONS } from "./operations.js";

const BASE = "/api/v1";
const ATTEMPTS = 8;
const FIRST_PAUSE = 250; // milliseconds
const LAST_PAUSE = 8_000;
const LONGEST_WAIT = 60; // seconds: a longer Retry-After is left to the person
const SILENCE = 40_000; // milliseconds without a byte: the connection is dead
const TEMPORARY = [425, 429, 502, 503, 504];

/** A refusal of the server, with the members of its `problem+json`. */
export class Problem extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.detail || body?.title || `The server answered ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.body = body ?? {};
    this.code = this.body.code ?? "";
    this.detail = this.message;
  }
}

/** The server cannot be reached. */
export class Unreachable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The server cannot be reached.", { cause });
    this.name = "Unreachable";
  }
}

/**
 * @typedef {{path?: Record<string, any>, query?: Record<string, any>, body?: Record<string, any>,
 *   wait?: number, signal?: AbortSignal, accept?: string, attempts?: number}} Call
 */

export class Api {
  /**
   * @param {string} server its origin, or nothing for that of the page
   * @param {() => string | null} key the key to send, if there is one
   */
  constructor(server = "", key = () => null) {
    this.server = server.replace(/\/+$/, "");
    this.key = key;
  }

  /**
   * The reply to an operation, as JSON or as text.
   * @param {string} name @param {Call} [call] @returns {Promise<any>}
   */
  async call(name, call = {}) {
    const request = this.#request(name, call);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await this.#attempt(request, call.signal);
        const type = reply.headers.get("Content-Type") ?? "";
        if (reply.status === 204) return null;
        return type.startsWith("application/json") ? await reply.json() : await reply.text();
      } catch (failure) {
        await pauseAfter(failure, attempt, call.attempts ?? ATTEMPTS, call.signal);
      }
    }
  }

  /**
   * The lines of an NDJSON reply, as they come; it ends when the server ends it or falls silent.
   * @param {string} name @param {Call} [call] @returns {AsyncGenerator<any>}
   */
  async *lines(name, call = {}) {
    const silence = new AbortController();
    const signal = AbortSignal.any(call.signal ? [silence.signal, call.signal] : [silence.signal]);
    const request = this.#request(name, { accept: "application/x-ndjson", ...call });
    let timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      const reply = await this.#attempt(request, signal);
      if (reply.status === 204 || !reply.body) return;
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        clearTimeout(timer);
        if (done) break;
        timer = setTimeout(() => silence.abort(), SILENCE);
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.trim()) yield JSON.parse(line);
      }
      if (rest.trim()) yield JSON.parse(rest);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** The address of an operation, for links. @param {string} name @param {Call} [call] */
  address(name, { path = {}, query = {} } = {}) {
    const [, template, names] = operation(name);
    const filled = template.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(path[part]));
    check(names, query, name);
    const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]));
    return `${this.server}${BASE}${filled}${pairs.length ? `?${search}` : ""}`;
  }

  /** @param {string} name @param {Call} call */
  #request(name, call) {
    const [method, , , members] = operation(name);
    /** @type {Record<string, string>} */
    const headers = { Accept: call.accept ?? "application/json, text/plain, image/svg+xml" };
    const key = this.key();
    if (key) headers["Authorization"] = `Bearer ${key}`;
    if (call.wait) headers["Prefer"] = `wait=${call.wait}`;
    if (method === "POST") headers["Idempotency-Key"] = `"${randomName()}"`;
    if (call.body) {
      check(members, call.body, name);
      headers["Content-Type"] = "application/json";
    }
    const body = call.body ? JSON.stringify(call.body) : null;
    return { url: this.address(name, call), method, headers, body };
  }

  /**
   * @param {{url: string, method: string, headers: Record<string, string>, body: string | null}} request
   * @param {AbortSignal} [signal]
   */
  async #attempt({ url, ...request }, signal) {
    let reply;
    try {
      reply = await fetch(url, { ...request, signal: signal ?? null, credentials: "omit" });
    } catch (failure) {
      signal?.throwIfAborted();
      throw new Unreachable(failure);
    }
    if (reply.ok) return reply;
    const problem = new Problem(reply.status, await reply.json().catch(() => null));
    const asked = Number(reply.headers.get("Retry-After"));
    throw Object.assign(problem, { retryAfter: Number.isFinite(asked) && asked > 0 ? asked : null });
  }
}

/** @param {string} name */
function operation(name) {
  const found = OPERATIONS[name];
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** @param {string[]} members @param {Record<string, any>} given @param {string} name */
function check(members, given, name) {
  const unknown = Object.keys(given).find((member) => !members.includes(member));
  if (unknown) throw new Error(`${name} has no member ${unknown}.`);
}

/** @param {any} failure @param {number} attempt @param {number} attempts @param {AbortSignal} [signal] */
async function pauseAfter(failure, attempt, attempts, signal) {
  signal?.throwIfAborted();
  const temporary = failure instanceof Unreachable || TEMPORARY.includes(failure?.status);
  const asked = failure?.retryAfter ?? null;
  if (!temporary || attempt >= attempts || (asked !== null && asked > LONGEST_WAIT)) throw failure;
  await pause(asked === null ? backOff(attempt) : asked * 1000, signal);
}

/** The pause after so many failures: doubled each time, and spread. @param {number} failures */
export function backOff(failures) {
  return Math.min(FIRST_PAUSE * 2 ** (failures - 1), LAST_PAUSE) * (0.5 + Math.random() / 2);
}

/** Wait; the network's return ends it early. @param {number} milliseconds @param {AbortSignal} [signal] */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end, { once: true });
    signal?.addEventListener("abort", abort, { once: true });
    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", abort);
      resolve(undefined);
    }
    function abort() {
      clearTimeout(timer);
      removeEventListener("online", end);
      reject(signal?.reason);
    }
  });
}

/** 128 random bits in hex; `crypto.randomUUID` is missing on pages without TLS. */
export function randomName(bytes = 16) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
