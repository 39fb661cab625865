/** Measures the texts of a picture as the browser draws them: their sizes, their contrast with what lies
 * behind them, and whether one of them is covered, leaves its panel or lies on another one. */

const PAINTED = "rect, circle, ellipse, line, polygon, polyline, path";
const CAP_HEIGHT = 0.74; // of the font size, above the baseline …
const DESCENT = 0.2; // … and below it
const ACROSS = [0.04, 0.27, 0.5, 0.73, 0.96]; // where a text is looked at, of its width …
const HEAD = 0.7; // … and of its font size, above the line: at the head and at the foot, …
const [FOOT, DEEP_FOOT, DEEP] = [0.1, -0.15, /[gjpqy]/]; // … which is deeper with such letters
const SOLID = 0.4; // the least opacity of what bears a text
const CLEAR = 0.1; // the most opacity of what covers none
const STACKED = "[data-card], [data-back], [data-token]"; // what is laid on cards, as on a table: the next card, a token

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area */
/** @typedef {{red: number, green: number, blue: number, alpha: number}} Colour premultiplied, from 0 to 1 */
/** @typedef {{element: SVGGraphicsElement, isStroke: boolean, colour: Colour}} Layer */
/** @typedef {{words: string, size: number, contrast: number, area: Area, faults: string[], element: SVGTextElement}} Measured */

/** The texts that are seen in a picture, in its own units. @param {string} text */
globalThis.measurePicture = (text) => {
  document.body.innerHTML = text;
  const picture = /** @type {SVGSVGElement} */ (document.querySelector("svg"));
  picture.style.cssText = `display: block; width: ${picture.viewBox.baseVal.width}px; height: auto`;
  expandUses(picture);
  const texts = [...picture.querySelectorAll("text")].filter((one) => one.textContent.trim());
  const measured = texts.map((one) => measured_(one, picture)).filter((one) => one !== null);
  measured.forEach((one, place) => overlaps(one, measured.slice(place + 1)));
  return measured.map(({ element, ...rest }) => rest);
};

/** Draw definitions where they are used, so that their parts are found at a point. @param {SVGSVGElement} picture */
function expandUses(picture) {
  for (let uses = picture.querySelectorAll("use"); uses.length; uses = picture.querySelectorAll("use")) {
    for (const use of uses) {
      const copy = /** @type {Element} */ (picture.querySelector(use.getAttribute("href") ?? "").cloneNode(true));
      copy.removeAttribute("id");
      const group = document.createElementNS(use.namespaceURI, "g");
      for (const { name, value } of use.attributes) if (name !== "href") group.setAttribute(name, value);
      group.append(copy);
      use.replaceWith(group);
    }
  }
  for (const unseen of picture.querySelectorAll("title, desc, defs > :not(linearGradient)")) unseen.remove();
}

/** A text; null if another thing covers it, as the next card of a hand does. @param {SVGTextElement} text @param {SVGSVGElement} picture @returns {Measured | null} */
function measured_(text, picture) {
  text.scrollIntoView({ block: "center" });
  const { x, width } = text.getBBox();
  const base = Number(text.getAttribute("y"));
  const matrix = text.getScreenCTM();
  const own = Number.parseFloat(getComputedStyle(text).fontSize);
  const size = own * Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
  const at = (right, up) => new DOMPoint(x + right * width, base - up * own).matrixTransform(matrix);
  const foot = DEEP.test(text.textContent) ? DEEP_FOOT : FOOT;
  const looks = [foot, HEAD].flatMap((up) => ACROSS.map((right) => look(text, at(right, up), picture)));
  const covered = looks.filter((one) => one.cover).length;
  const stacked = looks.map((one) => one.cover?.closest(STACKED)).filter((one) => one);
  if (stacked.some((one) => one !== text.closest(STACKED))) return null;
  const faults = [];
  if (covered) faults.push("covered");
  if (new Set(looks.map((one) => one.bearer)).size > 1) faults.push("leaves its panel");
  const corners = [at(0, CAP_HEIGHT), at(1, CAP_HEIGHT), at(0, -DESCENT), at(1, -DESCENT)];
  return {
    element: text,
    words: text.textContent.trim(),
    size,
    contrast: Math.min(...looks.map((one) => one.contrast)),
    area: areaOf(corners, picture.getBoundingClientRect()),
    faults,
  };
}

/** @param {DOMPoint[]} corners @param {DOMRect} origin @returns {Area} */
function areaOf(corners, origin) {
  const [xs, ys] = [corners.map((one) => one.x - origin.x), corners.map((one) => one.y - origin.y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** @param {Measured} one @param {Measured[]} others */
function overlaps(one, others) {
  for (const other of others) {
    const [across, down] = [gap(one.area, other.area, "left", "right"), gap(one.area, other.area, "top", "bottom")];
    if (across >= 0 || down >= 0) continue;
    if (!other.element.closest("[data-token]") || !one.element.closest("[data-card], [data-token]")) one.faults.push(`lies on “${other.words}”`);
  }
}

/** The distance of two areas along an axis; negative if they share some of it. @param {Area} one @param {Area} other @param {"left" | "top"} from @param {"right" | "bottom"} to */
function gap(one, other, from, to) {
  return Math.max(one[from], other[from]) - Math.min(one[to], other[to]);
}

/** What is seen at a point of a text: what is drawn after it lies above, what is drawn before it beneath. @param {SVGTextElement} text @param {DOMPoint} point @param {SVGSVGElement} picture */
function look(text, point, picture) {
  const found = /** @type {SVGGraphicsElement[]} */ (document.elementsFromPoint(point.x, point.y).filter((one) => one.matches(PAINTED)));
  const isAbove = (one) => (text.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const above = found.filter(isAbove).map((one) => layerAt(one, point));
  const beneath = found.filter((one) => !isAbove(one)).map((one) => layerAt(one, point));
  const cover = above.find((one) => opacityOf(one, picture) > CLEAR)?.element ?? null;
  const bears = (one) => one.element.matches("rect, circle") && !one.isStroke && opacityOf(one, picture) > SOLID;
  const bearer = beneath.find(bears)?.element ?? null;
  const style = getComputedStyle(text);
  const ink = { element: text, isStroke: false, colour: colourOf(style.fill, Number(style.fillOpacity)) };
  const ground = beneath.toReversed();
  return { cover, bearer, contrast: contrastOf(blended([...ground, ink], picture), blended(ground, picture)) };
}

/** @param {Layer} layer @param {Element} root */
function opacityOf({ element, colour }, root) {
  let opacity = colour.alpha;
  for (let one = element; one !== root; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
  return opacity;
}

/** Layers from the lowest to the highest as one colour; groups that are pale are blended first. @param {Layer[]} layers @param {Element} root @returns {Colour} */
function blended(layers, root) {
  let below = { red: 0, green: 0, blue: 0, alpha: 0 };
  for (let place = 0; place < layers.length;) {
    const pale = outermostPale(layers[place].element, root);
    let end = place + 1;
    while (pale && end < layers.length && pale.contains(layers[end].element)) end += 1;
    const above = pale ? scaled(blended(layers.slice(place, end), pale), Number(getComputedStyle(pale).opacity)) : layers[place].colour;
    below = over(above, below);
    place = end;
  }
  return below;
}

/** @param {Element} element @param {Element} root */
function outermostPale(element, root) {
  let found = null;
  for (let one = element; one !== root; one = one.parentElement) if (Number(getComputedStyle(one).opacity) < 1) found = one;
  return found;
}

/** @param {Colour} colour @param {number} factor @returns {Colour} */
function scaled({ red, green, blue, alpha }, factor) {
  return { red: red * factor, green: green * factor, blue: blue * factor, alpha: alpha * factor };
}

/** @param {Colour} above @param {Colour} below @returns {Colour} */
function over(above, below) {
  const rest = scaled(below, 1 - above.alpha);
  return { red: above.red + rest.red, green: above.green + rest.green, blue: above.blue + rest.blue, alpha: above.alpha + rest.alpha };
}

/** What of an element is painted at a point. @param {SVGGraphicsElement} element @param {DOMPoint} point @returns {Layer} */
function layerAt(element, point) {
  const style = getComputedStyle(element);
  const local = point.matrixTransform(element.getScreenCTM().inverse());
  const isStroke = element instanceof SVGGeometryElement && style.stroke !== "none" && element.isPointInStroke(local);
  if (isStroke) return { element, isStroke, colour: colourOf(style.stroke, Number(style.strokeOpacity)) };
  const name = /url\("?#([^")]*)/.exec(style.fill)?.[1];
  const { y, height } = element.getBBox();
  const solid = name ? stopAt(document.getElementById(name), (local.y - y) / height) : colourOf(style.fill, 1);
  return { element, isStroke, colour: scaled(solid, Number(style.fillOpacity)) };
}

/** A colour of a gradient from the top to the bottom. @param {Element} gradient @param {number} down @returns {Colour} */
function stopAt(gradient, down) {
  const stops = [...gradient.children].map((stop) => colourOf(getComputedStyle(stop).stopColor, 1));
  const place = Math.min(Math.max(down, 0), 1) * (stops.length - 1);
  const [first, share] = [Math.min(Math.floor(place), stops.length - 2), place - Math.min(Math.floor(place), stops.length - 2)];
  return over(scaled(stops[first + 1], share), scaled(stops[first], 1));
}

/** @param {string} text @param {number} opacity @returns {Colour} */
function colourOf(text, opacity) {
  if (text === "none") return { red: 0, green: 0, blue: 0, alpha: 0 };
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
  return scaled({ red: red / 255, green: green / 255, blue: blue / 255, alpha: 1 }, alpha * opacity);
}

/** The contrast of two opaque colours, as WCAG 2 reckons it. @param {Colour} one @param {Colour} other */
function contrastOf(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {Colour} colour */
function luminance({ red, green, blue }) {
  const [r, g, b] = [red, green, blue].map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
