/** Streams that go on after a break: each entry comes once, in order (docs/stream.md). */

import { ConnectionError } from "./errors.js";
import { cutter, unlessAborted, type Http, type Request } from "./http.js";
import type { Entry, GameUpdate, LobbyUpdate } from "./types.js";

/** The position of one of your games; `id` resumes the stream after it. */
export interface Update extends GameUpdate {
  id: string;
}

const NO_CONTENT = 204;

type Lines = AsyncGenerator<string>;

/** The items of a stream, over as many connections as needed; `next` is the request that goes on. */
async function* resumed<Item>(http: Http, next: () => Request, read: (lines: Lines) => AsyncGenerator<Item>): AsyncGenerator<Item> {
  for (let failures = 0; ; ) {
    const request = next();
    const cut = cutter(request.signal, http.settings.streamTimeout);
    let failure: unknown = new ConnectionError("the stream ended");
    try {
      const reply = await http.open(request, await http.headersOf(request), cut.signal);
      if (reply.status === NO_CONTENT || reply.body === null) return;
      for await (const item of read(linesOf(reply.body, cut.again, request.signal))) {
        failures = 0;
        yield item;
      }
    } catch (problem) {
      failure = problem;
    } finally {
      cut.end();
    }
    failures += 1;
    await http.pauseAfter(failure, failures, request.signal);
  }
}

/** Lines as they arrive, without their ends. A last line that was cut off is left out. */
async function* linesOf(body: ReadableStream<Uint8Array>, onBytes: () => void, signal: AbortSignal | undefined): Lines {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await unlessAborted(signal, () => reader.read());
    if (done) return;
    onBytes();
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
}

/** The entries of a game after `after`, until it is over. */
export async function* entriesOf(
  http: Http, game: string, after: number, as: string | undefined, signal: AbortSignal | undefined,
): AsyncGenerator<Entry> {
  let last = after;
  const next = (): Request => {
    const query = new URLSearchParams({ after: String(last), ...(as !== undefined && { as }) });
    const path = `/api/v1/games/${encodeURIComponent(game)}/stream?${query}`;
    return { method: "GET", path, headers: { Accept: "application/x-ndjson" }, ...(signal && { signal }) };
  };
  for await (const entry of resumed(http, next, (lines) => documentsOf<Entry>(lines))) {
    if (entry.seq <= last) continue;
    last = entry.seq;
    yield entry;
  }
}

/** The open tables, as they open, change and close; it never ends by itself. */
export function tablesOf(http: Http, rules: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<LobbyUpdate> {
  const query = new URLSearchParams({ open: "true", ...(rules !== undefined && { rules }) });
  const request = { method: "GET", path: `/api/v1/games/stream?${query}`, headers: { Accept: "application/x-ndjson" }, ...(signal && { signal }) };
  return resumed(http, () => request, (lines) => documentsOf<LobbyUpdate>(lines));
}

/** The positions of all games of the account, as they grow; it never ends by itself. */
export async function* updatesOf(http: Http, after: string, signal: AbortSignal | undefined): AsyncGenerator<Update> {
  let last = after;
  const next = (): Request => {
    const headers = { Accept: "text/event-stream", ...(last !== "" && { "Last-Event-ID": last }) };
    return { method: "GET", path: "/api/v1/me/stream", headers, ...(signal && { signal }) };
  };
  for await (const { id, data } of resumed(http, next, eventsOf)) {
    last = id || last;
    yield { id: last, ...(JSON.parse(data) as GameUpdate) };
  }
}

/** The documents of NDJSON; an empty line is a sign of life. */
async function* documentsOf<Document>(lines: Lines): AsyncGenerator<Document> {
  for await (const line of lines) if (line !== "") yield JSON.parse(line) as Document;
}

/** Server-sent events; an event that was cut off before its empty line is left out. */
async function* eventsOf(lines: Lines): AsyncGenerator<{ id: string; data: string }> {
  let id = "";
  let data: string[] = [];
  for await (const line of lines) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "id") id = value ?? "";
    if (field === "data") data.push(value ?? "");
    if (line !== "") continue;
    if (data.length > 0) yield { id, data: data.join("\n") };
    data = [];
  }
}
