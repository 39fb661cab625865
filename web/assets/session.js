/** A game as this page knows it: asked for, followed, and acted in. It knows no element. */

import { Api } from "./api.js";
import { follow } from "./live.js";

const PAGE = 200; // entries of the log that are asked for at once

export class Session {
  /** @type {any} the game as its caller sees it */
  game = null;
  /** @type {any} what the caller may do now, or null */
  choice = null;
  /** @type {any[]} the entries as the viewer may read them */
  entries = [];
  /** The viewer that was asked for: `seat:1`, `onlooker`, or nothing for the caller's own seat. */
  viewer = "";
  /** @type {(game: any) => void} */
  #arrive = () => {};
  #life = new AbortController();
  #following = new AbortController();
  /** Whether the game is followed as one's own; null before it is followed. @type {boolean | null} */
  #isOwn = null;
  #isRefreshing = false;
  #isStale = false;

  /**
   * @param {Api} api @param {string} id @param {boolean} isWatching without an account
   * @param {{changed: (news: any[]) => void, failed: (failure: unknown) => void}} told
   */
  constructor(api, id, isWatching, told) {
    this.api = api;
    this.id = id;
    this.isWatching = isWatching;
    this.told = told;
  }

  /** The game, as soon as it is known. @type {Promise<any>} */
  arrival = new Promise((resolve) => (this.#arrive = resolve));

  get signal() {
    return this.#life.signal;
  }

  /** The last entry that is known. */
  get seq() {
    return this.entries.at(-1)?.seq ?? 0;
  }

  close() {
    this.#life.abort();
    this.#following.abort();
  }

  /** Begin anew, such as for another account. */
  async load() {
    this.entries = [];
    this.#isOwn = null;
    await this.refresh();
    this.#follow();
  }

  /** Ask for the game as it is now, and for all that is new in its log; once at a time. */
  async refresh() {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const game = await this.#ask("getGame");
        this.#arrive(game);
        const news = await this.readLog(game);
        this.#take(game);
        if (this.#isOwn !== null && this.#isOwn !== this.#hasSeat()) this.#follow();
        this.told.changed(news);
      }
    } catch (failure) {
      this.told.failed(failure);
    } finally {
      this.#isRefreshing = false;
    }
    if (this.game?.phase === "over") this.#following.abort();
  }

  /** Read what is new in the log. @param {any} [game] @returns {Promise<any[]>} */
  async readLog(game = this.game) {
    const news = [];
    const { entries } = this;
    for (let isMore = true; isMore; ) {
      const page = await this.#ask("getLog", { ...this.#reader(game), after: this.seq, limit: PAGE });
      if (this.entries !== entries) return []; // read anew meanwhile, as another viewer
      news.push(...this.#hear(page.items));
      isMore = page.items.length === PAGE;
    }
    return news;
  }

  /** As whom the log is read: the entries of another seat stay closed, though its pictures open at the end. @param {any} game */
  #reader(game) {
    const isOwn = game.your_seats.some((/** @type {number} */ seat) => this.viewer === `seat:${seat}`);
    return isOwn || this.viewer === "onlooker" ? { as: this.viewer } : {};
  }

  /**
   * Do an action of a choice, which may have passed; the reply has all that follows from it at once.
   * @param {{token: string, seat: number}} choice @param {import("./pick.js").Offer} offer
   */
  async act({ token, seat }, offer) {
    const reply = await this.call("act", { seat, choice: token, action: offer.action });
    this.#take({ ...this.game, seq: reply.seq, to_act: reply.to_act, choice: reply.choice });
    const isWhole = (reply.entries[0]?.seq ?? 0) <= this.seq + 1;
    this.told.changed(isWhole ? this.#hear(reply.entries) : []);
    if (reply.result || !isWhole) await this.refresh();
  }

  /** What the server understands by an action, and whether it may be done now. @param {import("./pick.js").Action} action */
  check(action) {
    return this.api.call("check", { path: { game: this.id }, body: { seat: this.choice.seat, action } });
  }

  /** @param {string} name @param {any} [body] @param {any} [path] */
  async call(name, body, path = {}) {
    const reply = await this.api.call(name, { path: { game: this.id, ...path }, body });
    if (reply?.id === this.id) await this.refresh();
    return reply;
  }

  /** @param {string} name @param {Record<string, any>} [query] */
  #ask(name, query = {}) {
    return this.api.call(name, { path: { game: this.id }, query, signal: this.signal });
  }

  /** Answers overtake each other: one that comes late brings no earlier position back. @param {any} game */
  #take(game) {
    if (game.seq < (this.game?.seq ?? 0)) return;
    this.game = game;
    // the same choice read once more stays as it is, and so does the list that a person searches
    if (JSON.stringify(game.choice) !== JSON.stringify(this.choice)) this.choice = game.choice;
  }

  /** @param {any[]} entries */
  #hear(entries) {
    const news = entries.filter((entry) => entry.seq > this.seq);
    this.entries.push(...news);
    return news;
  }

  #hasSeat() {
    return this.game.your_seats.length > 0 && !this.isWatching;
  }

  /** Hear of what follows; once more when a seat is taken, or given to a bot. */
  #follow() {
    this.#following.abort();
    this.#following = new AbortController();
    if (!this.game || this.game.phase === "over") return;
    this.#isOwn = this.#hasSeat();
    follow({
      api: this.api,
      game: this.id,
      isMine: this.#isOwn,
      seq: () => this.game.seq,
      changed: () => this.refresh(),
      signal: this.#following.signal,
    });
  }
}
