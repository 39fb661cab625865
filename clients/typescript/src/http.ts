/** Requests that are safe to repeat: the same idempotency key on every attempt, and pauses between. */

import { ConnectionError, ProblemError, problemOf } from "./errors.js";
import { webCrypto } from "./web_crypto.js";

export interface ClientOptions {
  /** The address of the server, such as `https://games.example`. */
  url: string;
  /** The secret of an API key; without one, only what is public can be called. */
  key?: string;
  fetch?: typeof globalThis.fetch;
  /** Waits so many milliseconds. */
  sleep?: (milliseconds: number) => Promise<void>;
  /** A number from 0 to 1, which spreads the pauses of many clients. */
  random?: () => number;
  /** How often a request is sent at most. */
  attempts?: number;
  /** Milliseconds after which an attempt without a reply is given up; longer than any wait. */
  timeout?: number;
  /** Milliseconds: a longer `Retry-After` is left to the caller. */
  longestPause?: number;
  /** Milliseconds after which a stream that sends nothing is opened again. */
  streamTimeout?: number;
}

export interface CallOptions {
  /** Seconds that the server may hold the reply until there is news (`Prefer: wait`), 25 at most. */
  wait?: number;
  /** Names this request, so that it is done once even if this program is killed and repeats it. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The input of any operation. */
export interface AnyInput extends CallOptions {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

export interface Request extends CallOptions {
  method: string;
  path: string;
  /** JSON, or lines of NDJSON if it is a string. */
  body?: unknown;
  /** More headers. */
  headers?: Record<string, string>;
}

const FIRST_PAUSE = 250; // milliseconds
const LAST_PAUSE = 10_000;

export class Http {
  readonly settings: Required<ClientOptions>;

  constructor(options: ClientOptions) {
    this.settings = {
      key: "",
      fetch: (...request) => globalThis.fetch(...request),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      random: Math.random,
      attempts: 8,
      timeout: 40_000,
      longestPause: 60_000,
      streamTimeout: 40_000,
      ...options,
      url: options.url.replace(/\/+$/, ""),
    };
  }

  /** The bytes of the reply, after as many attempts as needed. */
  async send(request: Request): Promise<Uint8Array> {
    const headers = await this.headersOf(request);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(request, headers);
      } catch (failure) {
        if (attempt > 1 && isGone(request, failure)) return new Uint8Array();
        await this.pauseAfter(failure, attempt, request.signal);
      }
    }
  }

  /** Wait as long as the failure asks for; throw it if there is no use in waiting. */
  async pauseAfter(failure: unknown, attempt: number, signal?: AbortSignal): Promise<void> {
    const { attempts, longestPause, random, sleep } = this.settings;
    const isTemporary = failure instanceof ConnectionError || (failure instanceof ProblemError && failure.isTemporary);
    signal?.throwIfAborted();
    if (!isTemporary || attempt >= attempts) throw failure;
    const asked = failure instanceof ProblemError ? failure.retryAfter : undefined;
    const doubled = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LAST_PAUSE) * (0.5 + random() / 2);
    const pause = asked === undefined ? doubled : asked * 1000;
    if (pause > longestPause) throw failure;
    await sleep(pause);
    signal?.throwIfAborted();
  }

  /** The reply to one attempt, whose body is still to come. A refusal is thrown. */
  async open(request: Request, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { fetch, url } = this.settings;
    const isText = typeof request.body === "string";
    const body = request.body === undefined ? null : isText ? (request.body as string) : JSON.stringify(request.body);
    const reply = await unlessAborted(request.signal, () =>
      fetch(url + request.path, { method: request.method, headers, body, signal }),
    );
    if (reply.ok) return reply;
    throw problemOf(reply, await unlessAborted(request.signal, () => reply.text()));
  }

  async headersOf(request: Request): Promise<Record<string, string>> {
    const headers: Record<string, string> = { Accept: "application/json", ...request.headers };
    if (this.settings.key) headers["Authorization"] = `Bearer ${this.settings.key}`;
    if (request.wait !== undefined) headers["Prefer"] = `wait=${request.wait}`;
    if (request.body !== undefined) {
      headers["Content-Type"] = typeof request.body === "string" ? "application/x-ndjson" : "application/json";
    }
    if (request.method === "POST") {
      headers["Idempotency-Key"] = `"${request.idempotencyKey ?? (await webCrypto()).randomUUID()}"`;
    }
    return headers;
  }

  private async attempt(request: Request, headers: Record<string, string>): Promise<Uint8Array> {
    const cut = cutter(request.signal, this.settings.timeout);
    try {
      const reply = await this.open(request, headers, cut.signal);
      return new Uint8Array(await unlessAborted(request.signal, () => reply.arrayBuffer()));
    } finally {
      cut.end();
    }
  }
}

/** Whether a deletion that was repeated after a lost reply finds that it was done. */
function isGone(request: Request, failure: unknown): boolean {
  return request.method === "DELETE" && failure instanceof ProblemError && failure.status === 404;
}

/** The result; a failure is one of the connection unless the caller has ended the request. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError(`no reply: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export interface Cutter {
  signal: AbortSignal;
  /** Begin the time anew. */
  again: () => void;
  end: () => void;
}

/** A signal that aborts with another one, or after a time in which nothing came. */
export function cutter(outer: AbortSignal | undefined, milliseconds: number): Cutter {
  const controller = new AbortController();
  const cut = () => controller.abort(outer?.reason ?? new Error(`nothing came for ${milliseconds} ms`));
  let timer = setTimeout(cut, milliseconds);
  if (outer?.aborted) cut();
  outer?.addEventListener("abort", cut);
  return {
    signal: controller.signal,
    again() {
      clearTimeout(timer);
      timer = setTimeout(cut, milliseconds);
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", cut);
      controller.abort();
    },
  };
}
