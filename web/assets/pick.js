/** How an offer is chosen by narrowing: pure functions of offers, marks and words. */

/**
 * @typedef {Record<string, any>} Action the members of an action, `type` among them
 * @typedef {{action: Action, label: string, after?: any}} Offer
 * @typedef {Record<string, string>[]} Mark the ways in which a thing stands for an action
 */

/**
 * A mark from `data-pick`: ways separated by spaces, each of fields that must all hold.
 * @param {string} text @returns {Mark}
 */
export function parseMark(text) {
  return text.split(" ").filter(Boolean).map(parseWay);
}

/** @param {string} way @returns {Record<string, string>} */
function parseWay(way) {
  return Object.fromEntries(way.split(",").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

/** Whether a thing with this mark stands for the action. @param {Mark} mark @param {Action} action */
export function fits(mark, action) {
  return mark.some((way) => Object.entries(way).every(([field, value]) => bare(action, field) === value));
}

/** A member as marks write it; `type` is the kind without the ruleset. @param {Action} action @param {string} field */
function bare(action, field) {
  const value = action[field];
  if (field === "type") return kindOf(action);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The kind of an action without its ruleset. @param {Action} action */
export function kindOf(action) {
  return String(action.type).slice(String(action.type).indexOf(".") + 1);
}

/**
 * The offers that fit all picked marks and contain all words.
 * @param {Offer[]} offers @param {Mark[]} picked @param {string} [words]
 */
export function left(offers, picked, words = "") {
  const wanted = wordsOf(words);
  return offers.filter(
    (offer) => picked.every((mark) => fits(mark, offer.action)) && wanted.every((word) => plainLabel(offer).includes(word)),
  );
}

/** @param {string} text */
function wordsOf(text) {
  return plain(text).split(" ").filter(Boolean);
}

/**
 * The parts of a page that have all words: a part is a line with those below it that are indented.
 * @param {string} page @param {string} words
 */
export function partsWith(page, words) {
  const wanted = wordsOf(words);
  const isFound = (/** @type {string} */ part) => wanted.every((word) => plain(part).includes(word));
  return wanted.length ? page.split(/\n(?! {4})/).filter(isFound).join("\n") : page;
}

/** @type {WeakMap<Offer, string>} labels as they are searched, perhaps a thousand with each key */
const labels = new WeakMap();

/** @param {Offer} offer */
function plainLabel(offer) {
  if (!labels.has(offer)) labels.set(offer, plain(offer.label));
  return labels.get(offer) ?? "";
}

/** A text as it is searched: in lower case, signs of suits as words. @param {string} text */
function plain(text) {
  return text
    .replaceAll("♠", " spades ").replaceAll("♥", " hearts ").replaceAll("♦", " diamonds ").replaceAll("♣", " clubs ")
    .normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * The texts of marks after one was pressed: it goes if it was picked, it is added if offers are left then,
 * and otherwise it begins anew.
 * @param {Offer[]} offers @param {string[]} picked @param {string} pressed
 */
export function press(offers, picked, pressed) {
  if (picked.includes(pressed)) return picked.filter((mark) => mark !== pressed);
  const more = [...picked, pressed];
  if (left(offers, more.map(parseMark)).length) return more;
  return left(offers, [parseMark(pressed)]).length ? [pressed] : picked;
}

/**
 * What is still possible of the picks among other offers: all if they lead somewhere, else none.
 * @param {Offer[]} offers @param {string[]} picked
 */
export function stillPicked(offers, picked) {
  return left(offers, picked.map(parseMark)).length ? picked : [];
}

/**
 * The fields in which offers differ, with their values as the offers have them, in order of appearance.
 * @param {Offer[]} offers @returns {{field: string, values: string[]}[]}
 */
export function facets(offers) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { action } of offers) {
    for (const field of Object.keys(action)) {
      found.set(field, (found.get(field) ?? new Set()).add(bare(action, field)));
    }
  }
  return [...found].map(([field, values]) => ({ field, values: [...values] })).filter(({ values }) => values.length > 1);
}

/** The mark that stands for a value of a field. @param {string} field @param {string} value @returns {Mark} */
export function facetMark(field, value) {
  return [{ [field]: value }];
}
