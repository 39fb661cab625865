/** Pictures of the server as elements of the page: parsed, and rebuilt from a list of what is allowed. */

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(
  ("svg g rect circle ellipse line polygon polyline path text tspan use defs linearGradient radialGradient " +
    "stop title desc clipPath pattern symbol").split(" "),
);
const FORBIDDEN = /^(?:on|style$|xml:|xlink:)/i;

/** @type {{createHTML: (text: string) => any} | undefined} the page's only policy of Trusted Types */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("picture", {
  createHTML: (/** @type {string} */ text) => text, // parsed as XML into a document of its own, never shown
});

/**
 * The picture as an element that belongs to the page and can do nothing.
 * @param {string} text @returns {SVGSVGElement}
 */
export function pictureOf(text) {
  const parsed = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== SVG) throw new Error("The server sent no picture.");
  return /** @type {SVGSVGElement} */ (copyOf(root));
}

/** @param {Element} source */
function copyOf(source) {
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (isAllowed(name, value)) copy.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.nodeValue ?? "");
    else if (child instanceof Element && child.namespaceURI === SVG && ELEMENTS.has(child.localName)) copy.append(copyOf(child));
  }
  return copy;
}

/** @param {string} name @param {string} value */
function isAllowed(name, value) {
  if (name === "href") return value.startsWith("#");
  return name !== "xmlns" && !FORBIDDEN.test(name) && !/url\(\s*['"]?(?!#)/i.test(value);
}
