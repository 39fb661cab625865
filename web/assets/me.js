/** Your account: its name, its key, other devices, your games and data. */

import { Api } from "./api.js";
import { api, ensureAccount, forgetMainKey, key, mainKey, onChange, useKey } from "./account.js";
import { button, confirmed, download, fill, form, h } from "./dom.js";
import { gamePages, ratingTable } from "./lists.js";
import { qrPicture } from "./qr.js";
import { copyButton, section } from "./site.js";
import { TEXT } from "./strings/pages.js";
import { dateOf } from "./words.js";

const WORDS = TEXT.me;
const ME = `${location.origin}/me`;

let pasted = ""; // a main key for this page alone
const manager = new Api("", () => pasted || mainKey() || key());

let code = ""; // of the address, which another device has shown as a picture

/** The content of the page. */
export async function page() {
  code = /^#([0-9A-Z]{4}-[0-9A-Z]{4})$/i.exec(location.hash)?.[1] ?? "";
  if (code) history.replaceState(null, "", location.pathname);
  const place = h("div");
  const draw = async () => fill(place, key() ? await account() : nobody());
  onChange(() => void draw());
  await draw();
  return [h("h1", {}, WORDS.title), place];
}

/** Without an account: make one, or bring one. */
function nobody() {
  return [h("p", {}, WORDS.none), h("p", {}, button(WORDS.make, ensureAccount)), bring()];
}

/** Two ways to bring an account: a code, or a key. */
function bring() {
  const codeForm = form(labelled(WORDS.code, h("input", { id: "code", name: "code", value: code, autocomplete: "one-time-code", spellcheck: "false" }), WORDS.redeem),
    async (fields) => {
      const made = await new Api().call("redeemHandover", { body: { code: String(fields.get("code")), name: "browser" } });
      useKey(made.secret);
    });
  const keyForm = pasteForm("own-key", useKey);
  return section("bring", WORDS.bring, h("p", {}, WORDS.codeIntro), codeForm, h("p", {}, WORDS.pasteIntro), keyForm);
}

/** A field for a key, which is tried before it is used. @param {string} id @param {(secret: string) => void} use */
function pasteForm(id, use) {
  const input = h("input", { id, name: "key", class: "wide", autocomplete: "off", spellcheck: "false" });
  return form(labelled(WORDS.paste, input, WORDS.use), async (fields) => {
    const secret = String(fields.get("key")).trim();
    try {
      await new Api("", () => secret).call("getMe");
    } catch (failure) {
      throw /** @type {any} */ (failure).status === 401 ? new Error(WORDS.wrongKey) : failure;
    }
    use(secret);
  });
}

/** @param {string} label @param {any} input @param {string} submit */
function labelled(label, input, submit) {
  return [h("label", { for: input.id }, label), input, h("button", {}, submit)];
}

async function account() {
  const [me, rules] = await Promise.all([api.call("getMe"), api.call("listRules")]);
  /** @type {Map<string, any>} */
  const bySlug = new Map(rules.items.map((/** @type {any} */ one) => [one.slug, one]));
  const history = await gamePages(bySlug, WORDS.noGames, (query) => api.call("myGames", { query: { order: "recent", ...query } }));
  return [
    nameForm(me),
    code && bring(),
    mainKey() && keySection(mainKey() ?? ""),
    section("ratings", WORDS.ratings, me.ratings.length ? ratingTable(me.ratings, bySlug) : h("p", { class: "faint" }, WORDS.noRatings)),
    section("history", WORDS.history, history),
    section("data", WORDS.data, h("p", {}, WORDS.dataIntro), exportButton()),
    await management(me),
    section("leave", WORDS.leave, h("p", {}, WORDS.leaveIntro), signOut()),
  ];
}

/** @param {any} me */
function nameForm(me) {
  const input = h("input", { id: "name", name: "name", value: me.name, maxlength: 100, autocomplete: "nickname" });
  const answer = h("span", { role: "status", class: "good" });
  const made = form([labelled(WORDS.name, input, WORDS.save), answer], async (fields) => {
    fill(answer);
    await api.call("changeMe", { body: { name: String(fields.get("name")) } });
    fill(answer, WORDS.saved);
  });
  return [made, h("p", { class: "faint" }, WORDS.nameHint, " ", h("a", { href: `/players/${me.id}` }, WORDS.profile))];
}

/** The main key, until the person has put it away. @param {string} secret */
function keySection(secret) {
  const input = h("input", { id: "main-key", class: "wide", readonly: true, value: secret, onfocus: () => input.select() });
  const forget = () => {
    pasted = secret; // this page can go on with it
    forgetMainKey();
    document.getElementById("key")?.closest("section")?.remove();
  };
  return section("key", WORDS.key, h("p", {}, WORDS.keyIntro),
    h("label", { for: "main-key" }, WORDS.keyValue),
    h("p", { class: "row" }, input, copyButton(() => secret), button(WORDS.download, () => download(WORDS.fileName, [`${secret}\n${ME}\n`]))),
    h("p", {}, confirmed(WORDS.kept, WORDS.keptReally, forget)));
}

/** What only a key with the scope `keys:manage` may do. @param {any} me */
async function management(me) {
  const place = h("div");
  const draw = async () => {
    try {
      const [keys, sheet] = await Promise.all([manager.call("listKeys"), manager.call("recoveryCodes")]);
      fill(place, devices(), recovery(sheet), keyList(keys.items, draw), deletion(me));
    } catch (failure) {
      if (/** @type {any} */ (failure).status !== 403) throw failure;
      fill(place, section("manage", WORDS.keys, h("p", {}, WORDS.keyGone), pasteForm("managing-key", (secret) => {
        pasted = secret;
        void draw();
      })));
    }
  };
  await draw();
  return place;
}

function devices() {
  const place = h("div", { "aria-live": "polite" });
  const ask = async () => {
    const made = await manager.call("createHandover", { body: {} });
    fill(place, h("p", { class: "code" }, made.code), qrPicture(`${ME}#${made.code}`, WORDS.qr),
      h("p", { class: "faint" }, WORDS.validUntil, " ", dateOf(made.expires)));
  };
  return section("devices", WORDS.devices, h("p", {}, WORDS.devicesIntro), h("p", {}, button(WORDS.showCode, ask)), place);
}

/** Codes for the day on which every key is lost. @param {any} sheet */
function recovery(sheet) {
  const place = h("div", { "aria-live": "polite" }, h("p", {}, WORDS.recoveryLeft(sheet.left)),
    sheet.used.map((/** @type {any} */ use) => h("p", { class: "faint" }, `${WORDS.recoveryUsed} ${dateOf(use.at)}`)));
  const make = async () => {
    const made = await manager.call("makeRecoveryCodes");
    const lines = made.codes.map((/** @type {string} */ one) => `${one}\n`);
    fill(place, h("pre", {}, lines), h("p", {}, button(WORDS.download, () => download(WORDS.recoveryFile, [...lines, `${ME}\n`]))));
  };
  return section("recovery", WORDS.recovery, h("p", {}, WORDS.recoveryIntro), place,
    h("p", {}, sheet.left ? confirmed(WORDS.recoveryMake, WORDS.recoveryEnd, make) : button(WORDS.recoveryMake, make)));
}

/** @param {any[]} keys @param {() => Promise<void>} draw */
function keyList(keys, draw) {
  const scopes = /** @type {Record<string, string>} */ (WORDS.scopeOf);
  const items = keys.map((one) => {
    const name = one.name || WORDS.unnamed;
    const may = one.scopes.map((/** @type {string} */ scope) => scopes[scope] ?? scope).join(", ");
    const used = one.last_used ? dateOf(one.last_used) : WORDS.never;
    const revoke = confirmed(WORDS.revoke, TEXT.really, async () => {
      await manager.call("deleteKey", { path: { key: one.id } });
      await draw();
    });
    revoke.setAttribute("aria-describedby", one.id);
    return h("li", { class: "card game" },
      h("p", { id: one.id }, h("strong", {}, name),
        h("span", { class: "faint" }, ` · ${WORDS.scopes}: ${may} · ${WORDS.created} ${dateOf(one.created)} · ${WORDS.lastUsed}: ${used}`)),
      revoke);
  });
  return section("keys", WORDS.keys, h("p", {}, WORDS.keysIntro), h("ul", { class: "list" }, items));
}

/** All games as one file, in as many replies as it takes. */
function exportButton() {
  const answer = h("span", { role: "status", class: "faint" });
  const save = async () => {
    const parts = [];
    let after = null;
    let games = 0;
    do {
      const text = await api.call("exportMe", { query: { after }, accept: "application/x-ndjson" });
      const lines = text.trimEnd().split("\n");
      after = JSON.parse(lines.pop() ?? "{}").next_after;
      games += lines.filter((/** @type {string} */ line) => line.includes('"tabularium":"export/')).length;
      parts.push(...lines.map((/** @type {string} */ line) => `${line}\n`));
      fill(answer, WORDS.exporting(games));
    } while (after);
    download(WORDS.exportName, parts);
  };
  return h("p", { class: "row" }, button(WORDS.export, save), answer);
}

/** @param {any} me */
function deletion(me) {
  const input = h("input", { id: "delete-word", name: "word", autocomplete: "off" });
  const made = form([h("label", { for: input.id }, WORDS.deleteType(WORDS.deleteWord)), input, h("button", { class: "bad" }, WORDS.deleteButton)], async () => {
    if (input.value.trim() !== WORDS.deleteWord) {
      input.focus();
      throw new Error(WORDS.deleteType(WORDS.deleteWord));
    }
    await manager.call("deleteMe", { body: { account: me.id } });
    pasted = "";
    useKey(null);
  });
  return section("delete", WORDS.delete, h("p", {}, WORDS.deleteIntro), made);
}

function signOut() {
  return confirmed(WORDS.signOut, mainKey() ? WORDS.signOutLost : TEXT.really, () => {
    pasted = "";
    useKey(null);
  });
}
