/** What happens elsewhere: one stream for all tabs of a browser, so that its connections never run out. */

import { backOff, pause } from "./api.js";

const HIDDEN_FOR = 300_000; // milliseconds, after which a hidden page lets its stream go
const LOOK_EVERY = 3_000; // milliseconds, for those without a stream
const WATCHED = 3; // streams of games of others, in all tabs
const CHANNEL = "tabularium.games";

/** @typedef {{game: string, seq: number, my_turn?: boolean}} Position */

/**
 * Call `changed` when a game has grown, until the signal aborts.
 * @param {{api: import("./api.js").Api, game: string, isMine: boolean, seq: () => number,
 *   changed: (position: Position) => void, signal: AbortSignal}} wish
 */
export function follow(wish) {
  const { game, changed, signal } = wish;
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANNEL) : null;
  const hear = (/** @type {Position} */ position) => {
    if (position.game === game && position.seq > wish.seq()) changed(position);
  };
  channel?.addEventListener("message", (event) => hear(event.data));
  signal.addEventListener("abort", () => channel?.close());
  const tell = (/** @type {Position} */ position) => {
    hear(position);
    if (!signal.aborted) channel?.postMessage(position);
  };
  whileSeen(signal, (seen) => (channel && navigator.locks ? share(wish, tell, seen) : look(wish, tell, seen)));
}

/** Run the work while the page is seen, and for some minutes more. @param {AbortSignal} signal @param {(seen: AbortSignal) => Promise<void>} work */
function whileSeen(signal, work) {
  /** @type {AbortController | null} */
  let running = null;
  let timer = 0;
  const begin = () => {
    if (running || signal.aborted) return;
    running = new AbortController();
    work(running.signal).catch(() => undefined);
  };
  const end = () => {
    running?.abort();
    running = null;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, HIDDEN_FOR);
    else begin();
  };
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
    end();
  });
  begin();
}

/** @param {Parameters<typeof follow>[0]} wish @param {(position: Position) => void} tell @param {AbortSignal} seen */
async function share(wish, tell, seen) {
  if (wish.isMine) return await lead(wish.api, tell, seen);
  for (let slot = 0; slot < WATCHED; slot += 1) {
    const name = `tabularium.watch.${slot}`;
    const done = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await read(wish.api, "gameStream", () => ({ path: { game: wish.game }, query: { after: wish.seq() } }), (entry) => tell({ game: wish.game, seq: entry.seq }), seen);
      return lock !== null;
    });
    if (done) return;
  }
  await look(wish, tell, seen);
}

/** Hold the stream of all one's games, as soon as no other tab does. @param {import("./api.js").Api} api @param {(position: Position) => void} tell @param {AbortSignal} seen */
async function lead(api, tell, seen) {
  await navigator.locks.request("tabularium.stream", { signal: seen }, () => read(api, "myStream", () => ({}), tell, seen));
}

/**
 * Read a stream to its end, again after each cut.
 * @param {import("./api.js").Api} api @param {string} name @param {() => import("./api.js").Call} call
 * @param {(item: any) => void} take @param {AbortSignal} signal
 */
async function read(api, name, call, take, signal) {
  for (let failures = 0; !signal.aborted; ) {
    try {
      let isEmpty = true;
      for await (const item of api.lines(name, { ...call(), signal })) {
        isEmpty = false;
        failures = 0;
        take(item);
      }
      if (isEmpty && name === "gameStream") return; // it is over
    } catch (failure) {
      if (signal.aborted || /** @type {any} */ (failure)?.status === 401) return;
    }
    failures += 1;
    await pause(backOff(failures), signal).catch(() => undefined);
  }
}

/** Without a stream: look now and then. @param {Parameters<typeof follow>[0]} wish @param {(position: Position) => void} tell @param {AbortSignal} signal */
async function look(wish, tell, signal) {
  while (!signal.aborted) {
    await pause(LOOK_EVERY, signal).catch(() => undefined);
    if (signal.aborted || document.hidden) continue;
    const page = await wish.api.call("getLog", { path: { game: wish.game }, query: { after: wish.seq(), limit: 1 }, signal }).catch(() => null);
    const entry = page?.items?.[0];
    if (entry) tell({ game: wish.game, seq: entry.seq });
  }
}
