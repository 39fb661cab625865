/** The check of a game by this browser. It reads the export and nothing else: no verdict of the server counts. */

import { button, fill, h } from "./dom.js";
import { BADGE } from "./strings/fairness.js";

/**
 * @typedef {import("./api.js").Api} Api
 * @typedef {{seq: number, hash: string}} Known an entry as this page was shown it: of a reply, or of a receipt
 */

/** The export of a game. @param {Api} api @param {string} game @returns {Promise<Uint8Array>} */
export async function fetchExport(api, game) {
  return new TextEncoder().encode(await api.call("exportGame", { path: { game }, accept: "application/x-ndjson" }));
}

/** The proof that a finished game is in the public record; null where the server gives none. @param {Api} api @param {string} game */
async function fetchProof(api, game) {
  try {
    return await api.call("recordProof", { path: { game }, accept: "text/plain" });
  } catch {
    return null; // not recorded yet; a check without it is one all the same
  }
}

/**
 * The verdict on an export: of this game, and with the entries that this page was shown.
 * @param {Uint8Array} file
 * @param {{game?: string, known?: Known[], isUnsigned?: boolean, record?: string, api?: Api}} [expected] `api`: where the proof of the game is asked for
 */
export async function checkExport(file, { game, known = [], isUnsigned = false, record = "", api } = {}) {
  const { linesOf, verify } = await import("./verify.js");
  const proof = async (/** @type {string} */ of) => (api && of === game ? fetchProof(api, of) : null);
  const found = await verify(linesOf(file), { isUnsigned, record, proof });
  if (!found.ok) return found;
  if (game && found.game !== game) return { ok: false, reason: "another game", check: "form", line: 1, seq: null };
  const other = known.find(({ seq, hash }) => found.hashes[seq - 1] !== hash);
  return other ? { ok: false, reason: "another log", check: "chain", line: other.seq + 1, seq: other.seq } : found;
}

/** The reason of a refusal in words, with its place. @param {any} refusal */
export async function reasonOf({ reason, line, seq }) {
  const [{ REASONS }, { VERIFY }] = await Promise.all([import("./strings/reasons.js"), import("./strings/verify.js")]);
  return VERIFY.place(line, seq) + REASONS[reason];
}

/**
 * A button that checks the game here, and the verdict. It is made anew with each press, since the game goes on.
 * @param {{api: Api, game: string, known?: () => Known[]}} of
 * @returns {HTMLElement}
 */
export function fairnessBadge({ api, game, known = () => [] }) {
  const verdict = h("div", { role: "status" });
  const press = button(BADGE.check, async () => {
    fill(verdict, h("p", { class: "faint" }, BADGE.working));
    try {
      const seen = known(); // before the export is fetched, which has at least these
      fill(verdict, await badge(await checkExport(await fetchExport(api, game), { game, known: seen, api }), api, game));
    } catch (failure) {
      fill(verdict, h("p", { class: "problem" }, BADGE.failed));
      throw failure;
    } finally {
      press.textContent = BADGE.again;
    }
  });
  return h("section", { class: "fairness", "aria-label": BADGE.title }, press, verdict);
}

/** @param {any} found @param {Api} api @param {string} game */
async function badge(found, api, game) {
  const details = h("a", { href: `${api.server}/verify#${game}` }, BADGE.details);
  if (!found.ok) return h("p", { class: "problem bad" }, BADGE.refused(await reasonOf(found)), " ", details);
  const { ownSeats } = await import("./seeds.js");
  return h(
    "p",
    {},
    h("strong", { class: "good" }, BADGE.good(found)),
    ". ",
    ownSeats(found.seeds).length > 0 && `${BADGE.ownSeed} `,
    found.isSigned === false && `${BADGE.unsigned} `,
    found.recorded && `${BADGE.recorded(found.recorded)} `,
    details,
  );
}
