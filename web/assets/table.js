/** <tabularium-table game="game_…">: a game to play, to watch and to replay. Attributes: `server`, another
 *  origin; `watch`, without an account; `full`, as the page whose address is the position. */

import { key, onChange, read, takeSeat } from "./account.js";
import { alertSwitches, alertTurn, toggle } from "./alerts.js";
import { Api, Unreachable } from "./api.js";
import "./board.js";
import { copyText, download, fill, h, refill } from "./dom.js";
import { Frames } from "./frames.js";
import { Log } from "./log.js";
import { proposalOf, showMenu } from "./menu.js";
import { Offers } from "./offers.js";
import { Panels } from "./panels.js";
import { left, parseMark, press, stillPicked } from "./pick.js";
import { pictureOf } from "./picture.js";
import { Replay } from "./replay.js";
import { Seats, statusOf, titled } from "./seats.js";
import { Session } from "./session.js";
import { SpokenTable } from "./spoken-table.js";
import { TABLE } from "./strings/table.js";

const TALL_BELOW = 700; // pixels of width
const AT_ONCE = "tabularium.act-at-once";
const AGAIN = 3_000; // milliseconds, until an unreachable server is asked again
const ASSETS = new URL(".", import.meta.url).href;
const ADDRESS = /^#(?:e(\d+))?&?(?:as=(seat:\d+|onlooker))?&?(spoilers=no)?$/;

export class Table extends HTMLElement {
  session = new Session(new Api("", key), "", false, { changed: () => {}, failed: () => {} });
  frames = new Frames(this.session);
  /** @type {string[]} the marks that are picked */
  picked = [];
  /** @type {number | null} the entry that is shown, or null for now */
  seq = null;
  /** Whether all that comes after the position is hidden: never now. */
  isVeiled = false;
  /** @type {any} the choice whose offers are shown: an action answers no other */
  #choice = null;
  /** @type {string | null} the choice that is being answered, until it passes: no press answers it twice */
  #answered = null;
  #isAway = false; // says the notice
  /** The picture as the server sent it. */
  text = "";
  #shape = "";
  #isBlank = false; // the last position that was drawn had no picture
  #drawings = 0; // so far
  /** The latest of them. @type {Promise<void>} */
  #drawing = Promise.resolve();
  /** @type {boolean | null} */
  #wasMine = null;
  #life = new AbortController();

  heading = h("h1", {}, TABLE.loading);
  status = h("p", { class: "status", role: "status" });
  notice = h("div", { role: "alert", class: "notice" });
  spoken = h("p", { class: "spoken", role: "status" });
  board = /** @type {import("./board.js").Board} */ (h("tabularium-board"));
  proposal = h("div");
  words = new SpokenTable();
  menu = h("div", { class: "row" });
  /** @type {import("./panels.js").Panels | undefined} */
  panels;
  seats = new Seats((seat) => this.#sitDown(seat));
  offers = new Offers({ act: (offer) => this.act(offer), check: (action) => this.session.check(action), changed: () => this.#light(), atOnce: isAtOnce });
  log = new Log((seq) => this.go(seq, true));
  replay = new Replay({
    go: (seq, isJump) => this.go(seq, isJump),
    view: (viewer) => this.view(viewer),
    turns: () => this.#turns(),
    share: () => this.#share(),
    veil: (isVeiled) => {
      this.isVeiled = isVeiled;
      this.go(this.seq ?? this.session.game.first);
    },
  });

  connectedCallback() {
    const isWatching = this.hasAttribute("watch") || this.hasAttribute("server");
    const api = new Api(this.getAttribute("server") ?? "", isWatching ? () => null : key);
    const told = { changed: (/** @type {any[]} */ news) => this.#changed(news), failed: (/** @type {any} */ failure) => this.#report(failure) };
    this.session = new Session(api, this.getAttribute("game") ?? "", isWatching, told);
    this.#build();
    this.#readAddress();
    const { signal } = this.#life;
    addEventListener("popstate", () => this.#addressChanged(), { signal });
    addEventListener("hashchange", () => this.#addressChanged(), { signal });
    new ResizeObserver(() => this.#reshape()).observe(this);
    onChange(() => this.#load());
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.session.close();
    this.replay.stop();
  }

  #build() {
    const { session } = this;
    this.panels = new Panels({ session, go: (seq) => this.go(seq, true), ask: (action) => this.offers.ask(action) });
    const settings = h("details", { class: "settings" }, h("summary", {}, TABLE.settings),
      h("div", { class: "row" }, toggle(AT_ONCE, TABLE.atOnce, undefined, isAtOnce()), alertSwitches()), h("p", { class: "faint" }, TABLE.keysHelp));
    const side = h("div", { class: "side" }, this.offers.element, this.proposal, this.log.sinceBox, this.log.element);
    const whole = h("div", { class: "table", hidden: true },
      h("header", {}, this.heading, this.status), this.seats.element, this.spoken,
      h("div", { class: "middle" }, h("div", { class: "main" }, this.board, this.replay.element), side),
      this.words.element,
      h("details", { class: "menu", open: true }, h("summary", {}, TABLE.menu), this.menu, settings),
      this.panels.element, this.notice);
    const styles = ["page", "table"].map((name) => h("link", { rel: "stylesheet", href: `${ASSETS}${name}.css` }));
    const loaded = styles.map((style) => new Promise((resolve) => style.addEventListener("load", resolve)));
    Promise.all(loaded).then(() => {
      whole.removeAttribute("hidden");
      this.#light(); // only what is laid out has a size
    });
    const root = this.attachShadow({ mode: "open" });
    root.append(...styles, whole);
    root.addEventListener("problem", (event) => this.#report(/** @type {CustomEvent} */ (event).detail));
    this.board.addEventListener("pick", (event) => this.#press(/** @type {CustomEvent} */ (event).detail));
    this.board.addEventListener("unpick", () => this.offers.letGo());
  }

  // -- the game ----------------------------------------------------------------------------------

  async #load() {
    this.frames = new Frames(this.session);
    this.log.clear();
    this.#redraw(); // beside the first calls
    await this.session.load();
  }

  /** The game has changed: its actions can be chosen before its picture is there. @param {any[]} news */
  #changed(news) {
    const isFirst = news[0]?.seq === 1;
    this.log.add(news);
    if (!isFirst && news.length && !this.isVeiled) this.spoken.textContent = news.flatMap((entry) => entry.news).slice(-8).map((item) => item.text).join(". ");
    const { choice } = this.session;
    const isAnswered = this.#answered && this.#answered !== choice?.token; // though its reply may be late
    this.picked = isAnswered ? [] : stillPicked(choice?.offers ?? [], this.picked);
    if (isAnswered) this.#answered = null;
    if (news.length || this.#isAway) this.#quiet(); // a refusal stays until something has happened
    if (!isFirst || this.#isBlank) this.#redraw(); // the picture comes while the rest is shown
    this.#show();
    this.#openSeeds().catch((failure) => this.#report(failure));
  }

  /** Open the seeds that this browser has promised, as soon as every seat is taken. */
  async #openSeeds() {
    const { phase, seats } = this.session.game;
    if (phase !== "gathering" || !seats.some((/** @type {any} */ seat) => seat.is_you && seat.seed === "promised")) return;
    const { openSeeds, seedsDue } = await import("./seeds.js");
    if (!seedsDue(this.session.game).length) return;
    const { missing } = await openSeeds(this.session.api, this.session.game);
    if (missing.length) fill(this.notice, h("p", { class: "problem" }, TABLE.noSeed));
    else await this.session.refresh();
  }

  /** Do an action. @param {import("./pick.js").Offer} offer */
  async act(offer) {
    const choice = this.#choice;
    if (!choice || choice.token === this.#answered) return;
    this.#answered = choice.token;
    this.#quiet();
    this.#showWaiting();
    try {
      await this.session.act(choice, offer);
    } catch (failure) {
      this.#refused(failure);
    } finally {
      if (this.#answered === choice.token) this.#answered = null;
      this.#showWaiting();
    }
  }

  /** Whether the choice that is shown waits for the reply to its action. */
  #showWaiting() {
    this.offers.element.setAttribute("aria-busy", String(this.#answered !== null && this.#answered === this.#choice?.token));
  }

  /** Look at the table anew, which can be played on meanwhile. @param {any} failure */
  #refused(failure) {
    this.#report(failure);
    if (failure?.status !== 409) return;
    const said = failure.code === "stale-choice" ? new Error(TABLE.stale) : failure;
    this.session.refresh().then(() => this.#report(said));
  }

  /** @param {any} failure */
  #report(failure) {
    if (failure?.name === "AbortError") return;
    const isAway = failure instanceof Unreachable;
    const text = isAway ? TABLE.offline : failure?.status === 401 ? TABLE.keyGone : (failure?.message ?? String(failure));
    fill(this.notice, h("p", { class: "problem" }, text));
    this.#isAway = isAway;
    if (isAway) setTimeout(() => this.isConnected && this.session.refresh(), AGAIN);
  }

  /** Take the notice away. */
  #quiet() {
    this.#isAway = false;
    fill(this.notice);
  }

  /** @param {number} seat */
  async #sitDown(seat) {
    await takeSeat(this.session.id, { seat });
    await this.#load();
  }

  async #download() {
    const text = await this.session.api.call("exportGame", { path: { game: this.session.id }, accept: "application/x-ndjson" });
    download(`${this.session.id}.ndjson`, [text]);
  }

  // -- what is shown -----------------------------------------------------------------------------

  #show() {
    const { game, choice, entries } = this.session;
    const isNow = this.seq === null;
    const { isVeiled } = this;
    this.classList.toggle("veiled", isVeiled);
    this.#choice = isNow ? choice : null;
    for (const { seat, hue } of game.seats) this.style.setProperty(`--hue-${seat}`, hue);
    this.seats.show(game);
    this.status.textContent = isNow ? statusOf(this.session) : TABLE.asItWas;
    this.offers.element.hidden = !isNow || !choice;
    this.offers.set({ offers: this.#offers(), forms: this.#choice?.forms, picked: this.picked, isAwaited: choice?.is_awaited });
    this.#showWaiting();
    const menu = {
      game,
      seq: this.seq,
      call: (/** @type {string} */ name, /** @type {any} */ body, /** @type {any} */ path) => this.session.call(name, body, path),
      open: (/** @type {string} */ other) => location.assign(`/t/${other}`),
      download: () => this.#download(),
    };
    refill(this.proposal, [game.proposal, game.your_seats], () => proposalOf(menu));
    showMenu(menu, this.menu);
    this.log.showSince(entries, game.your_seats);
    this.log.mark(this.seq, isVeiled);
    this.replay.show({ first: game.first, last: game.seq, seq: this.seq, viewers: this.#viewers(), viewer: this.session.viewer || this.#ownViewer(), isVeiled });
    this.panels?.show(this.seq);
    this.#light();
    this.#announce();
  }

  /** Say in the titles of the table and the page, and as the person wishes, that it is their turn. */
  #announce() {
    const { game, choice, entries } = this.session;
    this.heading.textContent = this.board.querySelector("svg > title")?.textContent || entries[0]?.news[0]?.text || game.rules;
    if (!this.hasAttribute("full")) return;
    const isMine = game.phase === "playing" && Boolean(choice?.is_awaited);
    if (isMine && this.#wasMine === false) alertTurn(statusOf(this.session));
    this.#wasMine = isMine;
    document.title = `${isMine ? "● " : ""}${this.heading.textContent} – Tabularium`;
  }

  #ownViewer() {
    const seat = this.session.game?.your_seats[0];
    return seat === undefined ? "onlooker" : `seat:${seat}`;
  }

  /** @returns {[string, string][]} the viewers as whom the caller may look */
  #viewers() {
    const { game } = this.session;
    const seats = game.seats.filter((/** @type {any} */ seat) => game.phase === "over" || seat.is_you);
    const named = seats.map((/** @type {any} */ seat) => [`seat:${seat.seat}`, titled(seat)]);
    return [...named, ["onlooker", TABLE.onlooker]];
  }

  /** Draw anew; without a picture the game goes on by its list. */
  #redraw() {
    this.#draw().catch((failure) => this.#report(failure));
  }

  /** Show the picture of the position, or of one that was asked for meanwhile. @returns {Promise<void>} */
  #draw() {
    this.#drawing = this.#drawOne((this.#drawings += 1));
    return this.#drawing;
  }

  /** @param {number} number of the drawing: one that comes late is dropped */
  async #drawOne(number) {
    this.#shape = this.#fittingShape();
    const svg = await this.frames.get({ seq: this.seq, viewer: this.session.viewer, shape: this.#shape });
    if (number !== this.#drawings) return await this.#drawing;
    this.#isBlank = svg === undefined;
    if (svg === undefined) return fill(this.board);
    this.text = svg;
    const picture = pictureOf(svg);
    this.board.show(picture, this.#offers(), this.picked);
    this.words.show(picture.querySelector("desc")?.textContent ?? "");
    if (this.session.game) this.#announce();
  }

  #fittingShape() {
    return this.clientWidth < TALL_BELOW ? "tall" : "wide";
  }

  #reshape() {
    if (this.session.game && this.#shape !== this.#fittingShape()) this.#redraw();
  }

  /** What can be done in the position that is shown. @returns {import("./pick.js").Offer[]} */
  #offers() {
    return this.#choice?.offers ?? [];
  }

  #light() {
    this.picked = this.offers.picked;
    const picture = /** @type {SVGSVGElement | null} */ (this.board.firstElementChild);
    if (picture) this.board.show(picture, this.#offers(), this.picked);
  }

  /** A mark was pressed: it narrows; again, with one action left, it does that. @param {string} mark */
  #press(mark) {
    const offers = this.#offers();
    const [only, ...others] = left(offers, this.picked.map(parseMark));
    if (this.picked.includes(mark) && only && !others.length) return void this.act(only);
    this.offers.set({ picked: press(offers, this.picked, mark) });
    this.#light();
  }

  // -- replay ------------------------------------------------------------------------------------

  /** Show the position after an entry, or the present one. @param {number | null} seq @param {boolean} [isJump] */
  async go(seq, isJump = false) {
    this.seq = seq;
    if (seq === null) this.isVeiled = false;
    this.#writeAddress(isJump);
    await this.#showPosition();
  }

  /** Look as another viewer. @param {string} viewer */
  async view(viewer) {
    this.session.viewer = viewer;
    this.#writeAddress(true);
    this.session.entries = [];
    this.log.clear();
    this.log.add(await this.session.readLog());
    await this.#showPosition();
  }

  async #showPosition() {
    if (this.seq !== null) this.frames.load({ seq: this.seq, viewer: this.session.viewer, shape: this.#fittingShape() });
    this.#show();
    await this.#draw().catch((failure) => this.#report(failure));
  }

  /** The entries with which another seat begins to act. */
  #turns() {
    const { entries } = this.session;
    return entries.filter((entry, place) => entry.seat !== null && entry.seat !== entries[place - 1]?.seat).map((entry) => entry.seq);
  }

  /** @param {number | null} seq */
  #addressOf(seq) {
    const { id, viewer } = this.session;
    const parts = [seq !== null && `e${seq}`, viewer && `as=${viewer}`, this.isVeiled && "spoilers=no"].filter(Boolean);
    return `/t/${id}${parts.length ? `#${parts.join("&")}` : ""}`;
  }

  /** @param {boolean} isJump */
  #writeAddress(isJump) {
    if (!this.hasAttribute("full")) return;
    if (isJump) history.pushState(null, "", this.#addressOf(this.seq));
    else history.replaceState(null, "", this.#addressOf(this.seq));
  }

  #readAddress() {
    if (!this.hasAttribute("full")) return;
    const found = location.hash.match(ADDRESS);
    this.seq = found?.[1] ? Number(found[1]) : null;
    this.session.viewer = found?.[2] ?? "";
    this.isVeiled = this.seq !== null && Boolean(found?.[3]);
  }

  async #addressChanged() {
    const { viewer } = this.session;
    this.#readAddress();
    if (this.session.viewer !== viewer) await this.#load();
    else await this.#showPosition();
  }

  async #share() {
    await copyText(`${location.origin}${this.#addressOf(this.seq ?? this.session.game.seq)}`);
    fill(this.notice, h("p", {}, TABLE.copied));
  }
}

/** Whether an action is done as soon as it is chosen: by default with a mouse, not with fingers. */
function isAtOnce() {
  const set = read(AT_ONCE);
  return set === null ? matchMedia("(hover: hover) and (pointer: fine)").matches : set === "true";
}

customElements.define("tabularium-table", Table);
