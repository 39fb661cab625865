/** A fetch that answers from a script, and a sleep that only notes how long it was asked for. */

export interface Asked {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
}

export type Answer = (asked: Asked) => Response | Promise<Response>;

export class Fakes {
  readonly asked: Asked[] = [];
  readonly slept: number[] = [];

  constructor(private readonly answers: Answer[]) {}

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    const asked = {
      method: init?.method ?? "GET",
      url: String(url),
      headers: new Headers(init?.headers),
      body: (init?.body as string | null | undefined) ?? null,
    };
    this.asked.push(asked);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error("the script is over");
    return answer(asked);
  };

  readonly sleep = async (milliseconds: number): Promise<void> => {
    this.slept.push(milliseconds);
  };

  /** The options of a client that uses them; no pause depends on chance. */
  get options() {
    return { url: "http://test", key: "tab_test", fetch: this.fetch, sleep: this.sleep, random: () => 1 };
  }
}

export const lost: Answer = () => {
  throw new TypeError("fetch failed");
};

export function json(document: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return () => new Response(JSON.stringify(document), { status, headers: { "Content-Type": "application/json", ...headers } });
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const document = { type: `/api/v1/problems/${code}`, title: code, status, code, detail: "A sentence.", request_id: "req_1" };
  return json(document, status, { "Content-Type": "application/problem+json", ...headers });
}

/** A stream that sends these pieces, and then ends or breaks. */
export function streamed(pieces: string[], end: "ends" | "breaks" | "hangs" = "ends"): Answer {
  return ({ headers }) => {
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (end === "ends") controller.close();
        else if (end === "breaks") controller.error(new TypeError("terminated"));
        else await new Promise(() => {});
      },
    });
    return new Response(body, { headers: { "Content-Type": headers.get("accept") ?? "" } });
  };
}
