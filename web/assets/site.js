/** What all pages share: where problems are said, the reminder to keep the key, and lists that stay current. */

import { mainKey, onChange, useKey } from "./account.js";
import { button, copyText, fill, h, notices } from "./dom.js";
import { TEXT } from "./strings/pages.js";
import { renewTimes } from "./words.js";

const ROUND = 15_000; // milliseconds

/** The word that an address has after a part of the page's path, such as a game. @param {string} name */
export function addressed(name) {
  return document.body.dataset[name] ?? "";
}

/**
 * Fill the page; a failure is shown with a button to try again.
 * @param {() => Promise<any>} build makes the content
 */
export async function show(build) {
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const place = h("div", {}, h("p", { class: "faint" }, TEXT.loading));
  main.append(notices(), reminder(), place);
  await attempt();

  async function attempt() {
    main.setAttribute("aria-busy", "true");
    try {
      fill(place, await build());
    } catch (failure) {
      fill(place, failed(failure, attempt));
    }
    main.removeAttribute("aria-busy");
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
}

/** @param {any} failure @param {() => Promise<void>} again */
function failed(failure, again) {
  const isRefused = failure.status === 401;
  const forget = () => {
    useKey(null);
    return again();
  };
  return [
    h("h1", {}, TEXT.failed),
    h("p", { class: "problem" }, isRefused ? TEXT.keyRefused : failure.message),
    h("p", { class: "row" }, button(TEXT.again, again), isRefused && button(TEXT.forgetKey, forget)),
  ];
}

/** A calm line, until the main key has been put away. */
export function reminder() {
  const place = h("div");
  const draw = () => {
    const isNeeded = mainKey() && location.pathname !== "/me";
    fill(place, isNeeded && h("p", { class: "reminder" }, TEXT.keepKey, " ", h("a", { href: "/me#key" }, TEXT.keepKeyLink)));
  };
  draw();
  onChange(draw);
  return place;
}

/** Refresh when the page is looked at again, when the account changes, and now and then. @param {() => Promise<void>} refresh */
export function keepCurrent(refresh) {
  let isRunning = false;
  const round = async () => {
    if (isRunning || document.hidden) return;
    isRunning = true;
    try {
      await refresh();
      renewTimes();
    } catch (failure) {
      console.info(failure); // the next round tries again
    } finally {
      isRunning = false;
    }
  };
  setInterval(round, ROUND);
  addEventListener("focus", round);
  document.addEventListener("visibilitychange", round);
  onChange(round);
}

/** A button that copies a text. @param {() => string} text @param {Record<string, any>} [attributes] */
export function copyButton(text, attributes = {}) {
  const made = button(TEXT.copy, async () => {
    await copyText(text());
    made.textContent = TEXT.copied;
    setTimeout(() => (made.textContent = TEXT.copy), 2000);
  }, attributes);
  return made;
}

/** A part of a page under a heading, whose id leads there. @param {string} id @param {string} title @param {...any} content */
export function section(id, title, ...content) {
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), content);
}

/** A table whose first column names the rows. @param {string[]} head @param {any[][]} rows */
export function table(head, rows) {
  const headRow = h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)));
  const body = rows.map((cells) => h("tr", {}, cells.map((cell, index) => (index ? h("td", {}, cell) : h("th", { scope: "row" }, cell)))));
  return h("div", { class: "scroll", tabindex: 0 }, h("table", {}, h("thead", {}, headRow), h("tbody", {}, body)));
}
