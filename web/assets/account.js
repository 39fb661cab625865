/** The account of this browser: a guest, made with the first action and not with the first look. */

import { Api } from "./api.js";

const KEY = "tabularium.key"; // plays; in every tab
const MAIN_KEY = "tabularium.main-key"; // may do everything; kept until the person has put it away
const PAGE_SCOPES = ["games:read", "games:play", "games:create"];

/** The key of this browser, or null. */
export function key() {
  return read(KEY);
}

/** The key that may do everything, until it was put away. */
export function mainKey() {
  return read(MAIN_KEY);
}

/** The person has put the main key away: this browser forgets it. */
export function forgetMainKey() {
  write(MAIN_KEY, null);
}

/** Use another key in this browser, such as one of another device. @param {string | null} secret */
export function useKey(secret) {
  write(KEY, secret);
  write(MAIN_KEY, null);
  changed();
}

/** The API as the person of this browser. */
export const api = new Api("", key);

/** The API with the key that may do everything, where this browser still has it. */
const mainApi = new Api("", () => mainKey() ?? key());

/** Make sure that there is an account. Two tabs make one, not two. */
export async function ensureAccount() {
  if (key()) return;
  await exclusively("tabularium.account", async () => {
    if (key()) return;
    const guest = await api.call("createGuest", { body: {} });
    write(MAIN_KEY, guest.secret);
    write(KEY, guest.secret);
    const page = await mainApi.call("createKey", { body: { name: "browser", scopes: PAGE_SCOPES } });
    write(KEY, page.secret);
    changed();
  });
}

/**
 * Take a seat; with a seed of this browser where players bring theirs, and where that cannot be seen.
 * @param {string} game @param {{seat: number, invitation?: string}} body
 */
export async function takeSeat(game, body) {
  await ensureAccount();
  const path = { game };
  const seen = await api.call("getGame", { path }).catch(() => null);
  const isSeeded = !seen || seen.seats.some((/** @type {any} */ { seed }) => seed !== "none");
  const seed_hash = isSeeded ? (await import("./seeds.js")).newSeed() : null;
  return api.call("join", { path, body: { ...body, seed_hash } });
}

/**
 * Run work while no other tab runs it; without locks (a page without TLS) at once.
 * @param {string} name @param {() => Promise<void>} work
 */
async function exclusively(name, work) {
  if (navigator.locks) await navigator.locks.request(name, work);
  else await work();
}

/** Call the listener when the account changes, here or in another tab. @param {() => void} listener */
export function onChange(listener) {
  addEventListener("tabularium-account", listener);
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) listener();
  });
}

function changed() {
  dispatchEvent(new CustomEvent("tabularium-account"));
}

/** @type {Map<string, string>} what a browser without storage keeps for the life of the page */
const unsaved = new Map();

/** @param {string} name */
export function read(name) {
  try {
    return localStorage.getItem(name) ?? unsaved.get(name) ?? null;
  } catch {
    return unsaved.get(name) ?? null;
  }
}

/** @param {string} name @param {string | null} value */
export function write(name, value) {
  if (value === null) unsaved.delete(name);
  else unsaved.set(name, value);
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // private windows may refuse; the page goes on without a memory
  }
}
