/** `/verify`: an export, from a file or from the server, checked in this page. A file goes nowhere. */

import { api } from "./account.js";
import { button, fill, form, h, notices, report as tell } from "./dom.js";
import { checkExport, fetchExport } from "./fairness.js";
import { VERIFY } from "./strings/verify.js";
import { verifierKey } from "./verify-record.js";
import { headingOf, report } from "./verify-report.js";

const LARGEST = 256 * 2 ** 20; // bytes, of which a page holds a few copies

const verdict = h("section", { id: "verdict", "aria-label": VERIFY.title });
const status = h("p", { role: "status", class: "faint" });
let latest = 0; // the number of the latest check: an older one that ends later is not shown

/** @typedef {{game?: string, isUnsigned?: boolean, record?: string}} How */

const recordKey = h("input", { id: "record-key", autocomplete: "off", spellcheck: "false" });

/** Show a verdict on bytes that come. @param {string} name @param {() => Promise<Uint8Array>} load @param {How} [how] */
async function check(name, load, how = {}) {
  const record = recordKey.value.trim();
  if (record && !verifierKey(record)) throw new Error(VERIFY.noKey);
  const number = (latest += 1);
  fill(verdict);
  status.textContent = how.game ? VERIFY.fetching : VERIFY.working;
  try {
    const file = await load();
    status.textContent = VERIFY.working;
    const found = await checkExport(file, { ...how, record, api });
    if (number === latest) show(name, file, found, how);
  } finally {
    if (number === latest) status.textContent = "";
  }
}

/** @param {string} name @param {Uint8Array} file @param {any} found @param {How} how */
function show(name, file, found, how) {
  const heading = h("h2", { tabindex: "-1", class: found.ok ? "good" : "bad" }, headingOf(found, name));
  const accept = () => check(name, async () => file, { ...how, isUnsigned: true });
  const more = [found.reason === "no receipts" && button(VERIFY.unsigned, accept), how.game && saving(name, file)];
  fill(verdict, heading, report(found), h("p", { class: "row" }, more));
  heading.focus();
}

/** @param {string} name @param {Uint8Array} file */
function saving(name, file) {
  const href = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (file)], { type: "application/x-ndjson" }));
  return h("a", { class: "button", href, download: `${name}.ndjson` }, VERIFY.save);
}

/** @param {File} file */
async function checkFile(file) {
  if (file.size > LARGEST) throw new Error(VERIFY.tooLarge);
  await check(file.name, async () => new Uint8Array(await file.arrayBuffer()));
}

/** @param {string} text an address or id of a game */
async function checkGame(text) {
  const [game] = /game_[0-9a-f]{32}/.exec(text) ?? [];
  if (!game) throw new Error(VERIFY.noGame);
  await check(game, () => fetchExport(api, game), { game });
}

/** Run the check, and say its failure on the page. @param {Promise<void>} work */
const shown = (work) => work.catch((failure) => tell(document, failure));

function fileForm() {
  const input = h("input", { type: "file", id: "file", accept: ".ndjson,.jsonl,.txt,application/x-ndjson" });
  input.addEventListener("change", () => input.files[0] && shown(checkFile(input.files[0])));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) shown(checkFile(file));
  });
  return h("p", { class: "card drop" }, h("label", { for: "file" }, VERIFY.file), input);
}

function keyField() {
  return h("p", { class: "card" }, h("label", { for: "record-key" }, VERIFY.recordKey), recordKey);
}

function gameForm() {
  const input = h("input", { id: "game", autocomplete: "off", spellcheck: "false" });
  const row = h("div", { class: "row" }, input, h("button", { class: "primary" }, VERIFY.fetch));
  const made = form([h("label", { for: "game" }, VERIFY.game), row], () => checkGame(input.value), { class: "card" });
  addEventListener("hashchange", follow);
  function follow() {
    if (location.hash.length < 2) return;
    input.value = location.hash.slice(1);
    shown(checkGame(input.value));
  }
  queueMicrotask(follow);
  return made;
}

function elsewhere() {
  const [plain, client, rules] = VERIFY.commands.map((command) => h("li", {}, h("code", {}, command)));
  return h(
    "section",
    { "aria-labelledby": "elsewhere" },
    h("h2", { id: "elsewhere" }, VERIFY.more),
    h("p", {}, VERIFY.moreText),
    h("ul", { class: "list" }, plain, client, rules),
    h("p", {}, VERIFY.commandsHelp, " ", VERIFY.source),
  );
}

/** Other pages have this module in the script that checks a game for them. */
if (document.body.dataset["page"] === "verify") {
  const main = /** @type {Element} */ (document.getElementById("main"));
  fill(main, h("h1", {}, VERIFY.title), h("p", {}, VERIFY.intro), notices(), h("div", { class: "ways" }, fileForm(), gameForm(), keyField()), status, verdict, elsewhere());
}
