/** Elements, made without HTML text: names of players and of the world outside become text nodes. */

/**
 * An element. Attributes that begin with `on` are listeners, `true` is an empty attribute, and false,
 * null and undefined are none; children are elements or text, nested as they come.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
}

/**
 * Put other children into an element.
 * @param {Element} element
 * @param {...any} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
}

/** @type {WeakMap<Element, string>} what was last built for an element */
const built = new WeakMap();

/**
 * Give an element the hue of a seat, which the table knows as a property.
 * @template {HTMLElement | SVGElement} T
 * @param {number} seat @param {T} element @returns {T}
 */
export function hued(seat, element) {
  element.classList.add("hued");
  element.style.setProperty("--hue", `var(--hue-${seat})`);
  return element;
}

/**
 * Put other children into an element if what they show has changed. The focus does not get lost: the element with
 * the same id has it, or if it was on a button that goes, the one that takes its place, or else `heir`.
 * @param {Element} element @param {any} shown @param {() => any} build @param {HTMLElement} [heir]
 */
export function refill(element, shown, build, heir) {
  const key = JSON.stringify(shown);
  if (built.get(element) === key) return;
  built.set(element, key);
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const focused = element.contains(root.activeElement) ? root.activeElement : null;
  const buttons = () => [...element.querySelectorAll("button")];
  const place = buttons().indexOf(/** @type {any} */ (focused));
  fill(element, build());
  if (focused) (/** @type {any} */ (focused.id && root.getElementById(focused.id)) || (buttons()[place] ?? buttons()[0] ?? heir))?.focus();
}

/**
 * Go to another button of a list: up, down, Home and End, where a button has the focus.
 * @param {Element} list @param {KeyboardEvent} event @returns {boolean} whether the key is one of them
 */
export function walk(list, event) {
  const buttons = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(":not([hidden]) > button")]);
  const place = buttons.indexOf(/** @type {any} */ (event.target));
  const next = place < 0 ? undefined : { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined) return false;
  buttons[next]?.focus();
  event.preventDefault();
  return true;
}

/** @param {any[]} children */
function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * A button that runs an action once at a time; a failure is shown by `report`.
 * @param {string} label
 * @param {() => any} action
 * @param {Record<string, any>} [attributes]
 */
export function button(label, action, attributes = {}) {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", () => once(element, "aria-disabled", action));
  return element;
}

/** Run an action, once at a time: an attribute says that it runs. @param {Element} element @param {string} state @param {() => any} action */
async function once(element, state, action) {
  if (element.getAttribute(state) === "true") return;
  element.setAttribute(state, "true");
  try {
    await action();
  } catch (failure) {
    report(element, failure);
  } finally {
    element.removeAttribute(state);
  }
}

/**
 * A form that runs an action with its fields.
 * @param {any[]} children @param {(fields: FormData) => any} action @param {Record<string, any>} [attributes]
 */
export function form(children, action, attributes) {
  const made = h("form", { class: "row", novalidate: true, ...attributes }, children);
  made.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    once(made, "aria-busy", () => action(new FormData(made)));
  });
  return made;
}

/** A button whose action needs a second press. @param {string} label @param {string} question @param {() => any} action */
export function confirmed(label, question, action) {
  let isAsked = false;
  const ask = (/** @type {boolean} */ isAsking) => {
    isAsked = isAsking;
    made.textContent = isAsking ? question : label;
  };
  const made = button(label, async () => {
    ask(!isAsked);
    if (!isAsked) await action();
  });
  made.addEventListener("blur", () => ask(false));
  return made;
}

/** Copy a text; without TLS browsers only copy a selection. @param {string} text */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea", { class: "unseen", "aria-hidden": true }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Offer a text as a file. @param {string} name @param {BlobPart[]} parts */
export function download(name, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: "text/plain" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Tell the nearest place that shows problems.
 * @param {EventTarget} place
 * @param {unknown} failure
 */
export function report(place, failure) {
  place.dispatchEvent(new CustomEvent("problem", { bubbles: true, composed: true, detail: failure }));
}

/** The place of a page where problems and news are said aloud. */
export function notices() {
  const place = h("div", { class: "notices", role: "status" });
  document.addEventListener("problem", (event) => {
    const failure = /** @type {CustomEvent} */ (event).detail;
    if (failure?.name === "AbortError") return;
    fill(place, h("p", { class: "problem" }, failure?.detail || failure?.message || String(failure)));
  });
  return place;
}
