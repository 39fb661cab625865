/** The pictures of positions: the latest ones are kept, as text, and parsed when they are shown. */

const KEPT = 300;
const ATTEMPTS = 3; // of a picture: the next position brings another
const BATCH = 100; // pictures of a replay that are asked for at once

/** @typedef {{seq: number | null, viewer: string, shape: string}} Position `seq` null: the present one */

export class Frames {
  /** @type {Map<string, string>} */
  #kept = new Map();
  #loaded = "";

  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
  }

  /** The picture of a position; undefined before the game starts. @param {Position} position @returns {Promise<string | undefined>} */
  async get(position) {
    const query = queryOf(position);
    const name = JSON.stringify(query);
    const kept = position.seq === null ? undefined : this.#kept.get(name);
    if (kept !== undefined) return kept;
    const { api, id, signal } = this.session;
    const game = this.session.game ?? (await this.session.arrival);
    if (game.first === null || (position.seq ?? Infinity) < game.first) return undefined;
    const svg = await api.call("getPicture", { path: { game: id }, query, signal, attempts: ATTEMPTS });
    if (position.seq !== null) this.#keep(name, svg);
    return svg;
  }

  /** Load all pictures of the game as this viewer sees it, in few requests. @param {Position} position */
  async load({ viewer, shape }) {
    const { api, id, signal, game } = this.session;
    const wanted = JSON.stringify([viewer, shape, game.seq]);
    if (this.#loaded === wanted || game.first === null) return;
    this.#loaded = wanted;
    try {
      for (let after = game.first - 1; after < game.seq; ) {
        const before = after;
        const query = { ...queryOf({ seq: null, viewer, shape }), after, limit: BATCH };
        for await (const line of api.lines("getPictures", { path: { game: id }, query, signal })) {
          this.#keep(JSON.stringify(queryOf({ seq: line.seq, viewer, shape })), line.svg);
          after = line.seq;
        }
        if (after === before) break;
      }
    } catch {
      this.#loaded = ""; // single pictures are asked for, and all of them the next time
    }
  }

  /** @param {string} name @param {string} text */
  #keep(name, text) {
    this.#kept.delete(name);
    this.#kept.set(name, text);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT && !oldest.done) this.#kept.delete(oldest.value);
  }
}

/** @param {Position} position */
function queryOf({ seq, viewer, shape }) {
  return { shape, ...(viewer && { as: viewer }), ...(seq !== null && { seq }) };
}
