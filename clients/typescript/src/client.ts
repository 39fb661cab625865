/** The client: typed calls of every operation, and what a player needs around them. */

import { ProblemError } from "./errors.js";
import { Http, type AnyInput, type CallOptions, type ClientOptions } from "./http.js";
import { Operations } from "./operations.js";
import { entriesOf, tablesOf, updatesOf, type Update } from "./streams.js";
import type {
  ActionResult, Choice, Entry, Game, Guest, Input, LobbyUpdate, Method, NewActions, NewGame, Offer, Operation, Output, PathOf, Receipt, View,
} from "./types.js";

/** Chooses one of the offers of a choice. */
export type Choose = (choice: Choice, view: View | null) => Offer | undefined | Promise<Offer | undefined>;

/** A game that is over, and the receipts of one's own actions. */
export interface Played {
  game: Game;
  receipts: Receipt[];
}

const WAIT = 20; // seconds that the server may hold a reply until there is news

/** `undefined` in the input of an operation that needs none. */
type InputOf<O> = Record<string, never> extends Input<O> ? [input?: Input<O> & CallOptions] : [input: Input<O> & CallOptions];

interface Page {
  items: unknown[];
  next_cursor?: string | null;
}

export class Tabularium extends Operations {
  readonly http: Http;

  constructor(options: ClientOptions) {
    super();
    this.http = new Http(options);
  }

  /** A client with the key of a new guest. Keep `client.http.settings.key` to go on later. */
  static async asGuest(options: ClientOptions, name?: string): Promise<Tabularium> {
    const guest = await new Tabularium(options).createGuest(name);
    return new Tabularium({ ...options, key: guest.secret });
  }

  /** Call any operation of the API document by its method and path: each has a method of its own, too. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M, path: P, ...[input]: InputOf<Operation<M, P>>
  ): Promise<Output<Operation<M, P>>> {
    return this.request(method, path, (input ?? {}) as AnyInput);
  }

  /** Every item of a list, page by page, such as `items("/api/v1/me/games", { query: { my_turn: true } })`. */
  async *items<P extends PathOf<"get">>(
    path: P, ...[input]: InputOf<Operation<"get", P>>
  ): AsyncGenerator<Output<Operation<"get", P>> extends { items: (infer Item)[] } ? Item : never> {
    const { query, ...rest } = (input ?? {}) as AnyInput;
    let cursor: string | null | undefined;
    do {
      const pages = { ...query, ...(cursor != null && { cursor }) };
      const page = JSON.parse(new TextDecoder().decode(await this.bytes("get", path, { ...rest, query: pages }))) as Page;
      yield* page.items as never[];
      cursor = page.next_cursor;
    } while (cursor != null);
  }

  async createGuest(name?: string, options: CallOptions = {}): Promise<Guest> {
    return this.call("post", "/api/v1/guests", { body: name === undefined ? {} : { name }, ...options });
  }

  /** Set up a game. With bots alone at the other seats, the reply waits for one's first turn. */
  async createGame(body: NewGame, options: CallOptions = {}): Promise<Game> {
    return this.call("post", "/api/v1/games", { body, wait: WAIT, ...options });
  }

  async game(game: string, options: CallOptions = {}): Promise<Game> {
    return this.call("get", "/api/v1/games/{game}", { path: { game }, ...options });
  }

  /** Send an action; the reply waits until it is one's turn again, or the game is over. */
  async act(game: string, body: NewActions, options: CallOptions = {}): Promise<ActionResult> {
    return this.call("post", "/api/v1/games/{game}/actions", { path: { game }, body, wait: WAIT, ...options });
  }

  /** The game as soon as one of one's seats is awaited, or it is over. */
  async waitForTurn(game: string, options: Pick<CallOptions, "signal"> = {}): Promise<Game> {
    for (;;) {
      const seen = await this.game(game, options);
      if (seen.phase === "over" || seen.choice?.is_awaited) return seen;
      const seat = seen.your_seats.find((own) => seen.to_act.includes(own)); // another than the first
      if (seat !== undefined) {
        const shown = await this.call("get", "/api/v1/games/{game}", { path: { game }, query: { as: `seat:${seat}` }, ...options });
        if (shown.choice?.is_awaited) return shown;
      }
      const query = { after: seen.seq, limit: 1 };
      await this.call("get", "/api/v1/games/{game}/log", { path: { game }, query, wait: WAIT, ...options });
    }
  }

  /** Play a game to its end: `choose` is asked whenever one of one's seats is awaited. */
  async play(game: string, choose: Choose, options: Pick<CallOptions, "signal"> = {}): Promise<Played> {
    const receipts: Receipt[] = [];
    for (;;) {
      const { phase, choice, view, ...rest } = await this.waitForTurn(game, options);
      if (phase === "over" || choice === null) return { game: { phase, choice, view, ...rest }, receipts };
      const offer = await choose(choice, view);
      if (offer === undefined) throw new RangeError("none of the offers was chosen");
      const due = { seat: choice.seat, choice: choice.token, action: offer.action };
      const result = await this.act(game, due, options).catch(unlessTooLate);
      if (result) receipts.push(result.receipt);
    }
  }

  /** The entries of a game after `after`, each once, until it is over; lost connections are replaced. */
  entries(game: string, options: { after?: number; as?: string; signal?: AbortSignal } = {}): AsyncGenerator<Entry> {
    return entriesOf(this.http, game, options.after ?? 0, options.as, options.signal);
  }

  /** The positions of all one's games, as they grow. It ends only with `signal` or `break`. */
  updates(options: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<Update> {
    return updatesOf(this.http, options.after ?? "", options.signal);
  }

  /** The open tables, then each one that opens, changes or closes. An item without a game is the beginning, also after a break. */
  tables(options: { rules?: string; signal?: AbortSignal } = {}): AsyncGenerator<LobbyUpdate> {
    return tablesOf(this.http, options.rules, options.signal);
  }

  /** The export of a game, as a file: `verifyExport` checks it. With `proof` it has the proof from the public record. */
  async export(game: string, { proof, ...options }: CallOptions & { proof?: boolean } = {}): Promise<Uint8Array> {
    const query = { proof: proof || null };
    return this.bytes("get", "/api/v1/games/{game}/export", { path: { game }, query, ...options }, "application/x-ndjson");
  }

  protected async request<Reply>(method: Method, path: string, input: AnyInput): Promise<Reply> {
    const text = new TextDecoder().decode(await this.bytes(method, path, input));
    return (/^[[{]/.test(text) ? JSON.parse(text) : text || undefined) as Reply;
  }

  protected async bytes(method: Method, path: string, input: AnyInput, accept?: string): Promise<Uint8Array> {
    const { path: places = {}, query = {}, body, ...options } = input;
    const whole = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(places[name])));
    const named = Object.entries(query).filter(([, value]) => value != null).map(([name, value]) => [name, String(value)]);
    const suffix = named.length > 0 ? `?${new URLSearchParams(named)}` : "";
    const content = body === undefined && method === "post" ? {} : body;
    const headers = { Accept: accept ?? "application/json, */*;q=0.5" };
    const sent = content === undefined ? {} : { body: content };
    return this.http.send({ method: method.toUpperCase(), path: whole + suffix, headers, ...sent, ...options });
  }
}

/** The choice was closed before the action came, by a clock or another program of the same player. */
function unlessTooLate(failure: unknown): undefined {
  if (failure instanceof ProblemError && (failure.code === "stale-choice" || failure.code === "game-over")) return undefined;
  throw failure;
}
