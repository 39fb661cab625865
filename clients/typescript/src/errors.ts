/** What the client throws. */

import type { Problem, ProblemCode } from "./types.js";

/** The base of all errors of this client, except for InvalidExport. */
export class TabulariumError extends Error {
  override name = "TabulariumError";
}

/** No reply, or a broken one, after all attempts; `cause` is the last failure. */
export class ConnectionError extends TabulariumError {
  override name = "ConnectionError";
}

/** The server refused the request, with a problem (RFC 9457). Decide by `code`. */
export class ProblemError extends TabulariumError {
  override name = "ProblemError";
  readonly status: number;
  /** The stable code; undefined in a reply that is not the server's own, as of a proxy. */
  readonly code: ProblemCode | undefined;
  /** The whole problem: `errors`, `rule`, `limit`, `entries`, `choice` where it has them. */
  readonly problem: Problem | undefined;
  /** The `Request-Id`, by which the server's log names the request. */
  readonly requestId: string | undefined;
  /** The seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Problem | undefined, headers: Headers) {
    super(problem ? `${problem.code}: ${problem.detail}` : `status ${status}`);
    this.status = status;
    this.problem = problem;
    this.code = problem?.code as ProblemCode | undefined;
    this.requestId = problem?.request_id ?? headers.get("request-id") ?? undefined;
    this.retryAfter = seconds(headers.get("retry-after"));
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 ? this.retryAfter !== undefined : this.status >= 500 && this.status !== 501;
  }
}

function seconds(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The error of a reply that is none of success. */
export function problemOf(reply: Response, text: string): ProblemError {
  const isProblem = reply.headers.get("content-type")?.startsWith("application/problem+json");
  let problem: Problem | undefined;
  try {
    problem = isProblem ? (JSON.parse(text) as Problem) : undefined;
  } catch {
    problem = undefined;
  }
  return new ProblemError(reply.status, problem, reply.headers);
}
