/** What stands below a table: hints, the review of a finished game, bots' thoughts, and the check of its fairness. */

import { analysisPanel, hintButton, mayHint, positionBox, thoughtBox } from "./analysis.js";
import { h, refill } from "./dom.js";
import { fairnessBadge } from "./fairness.js";

export class Panels {
  #hint = h("div", {});
  #thought = h("div", {});
  #position = h("div", {});
  #analysis = h("div", {});
  #fairness = h("div", { class: "card" });

  /**
   * @param {{session: import("./session.js").Session, go: (seq: number) => void, ask: (action: any) => void}} table
   */
  constructor(table) {
    this.table = table;
    this.element = h("div", { class: "panels" }, this.#hint, this.#position, this.#thought, this.#analysis, this.#fairness);
  }

  /** @param {number | null} seq the entry that is shown, or null for now */
  show(seq) {
    const { session, go, ask } = this.table;
    const { api, id, game, entries, choice } = session;
    const over = game.phase === "over";
    const seat = choice?.seat ?? game.your_seats[0];
    const hinted = !session.isWatching && seq === null && choice && mayHint(game, seat) ? choice.token : null;
    refill(this.#hint, hinted, () => (hinted ? hintButton({ api, game: id, seat, onOffer: ask }) : []));
    const entry = over && !session.isWatching ? entries.find((each) => each.seq === seq) : null;
    const thinker = entry && game.seats[entry.seat]?.bot ? entry.seq : null;
    refill(this.#thought, thinker, () => (thinker ? thoughtBox({ api, game: id, seq: thinker }) : []));
    const next = over && !session.isWatching && seq !== null && seq >= game.first ? entries.find((each) => each.seq === seq + 1) : null;
    const decided = next && next.seat !== null && !String(next.action.type).startsWith("table.") ? next : null;
    refill(this.#position, decided, () => (decided ? positionBox({ api, game: id, seats: game.seats, entry: decided }) : []));
    const reviewed = over && !session.isWatching;
    refill(this.#analysis, reviewed, () => (reviewed ? analysisPanel({ api, game: id, seats: game.seats, over, go }) : []));
    const known = () => session.entries.map(({ seq: number, hash }) => ({ seq: number, hash }));
    refill(this.#fairness, id, () => fairnessBadge({ api, game: id, known }));
  }
}
