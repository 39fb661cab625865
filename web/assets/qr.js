/** QR codes of short texts (ISO/IEC 18004: bytes, level L, versions 1 to 5, which are one block), drawn here, so
 *  that no text leaves the page. */

import { h } from "./dom.js";

const DATA = [19, 34, 55, 80, 108]; // codewords by version
const CHECKS = [7, 10, 15, 20, 26];
const FORMAT = 0b111011111000100; // level L and mask 0, which readers accept without a comparison of all masks
const QUIET = 4; // modules around the code
const SCALE = 5; // pixels of a module

/** The rows of a code: whether a module is dark. @param {string} text @returns {boolean[][]} */
export function qrRows(text) {
  const bytes = new TextEncoder().encode(text);
  const version = DATA.findIndex((size) => bytes.length + 2 <= size) + 1;
  if (!version) throw new Error("The text is too long for a QR code.");
  const data = codewords(bytes, at(DATA, version - 1));
  const bits = [...data, ...checkwords(data, at(CHECKS, version - 1))].flatMap((byte) => bitsOf(byte, 8));
  return modules(version, bits);
}

/** A code as a picture. @param {string} text @param {string} label */
export function qrPicture(text, label) {
  const rows = qrRows(text);
  const size = (rows.length + 2 * QUIET) * SCALE;
  const canvas = h("canvas", { width: size, height: size, role: "img", "aria-label": label });
  const paint = canvas.getContext("2d");
  paint.fillStyle = "#fff";
  paint.fillRect(0, 0, size, size);
  paint.fillStyle = "#000";
  rows.forEach((row, y) => row.forEach((isDark, x) => {
    if (isDark) paint.fillRect((x + QUIET) * SCALE, (y + QUIET) * SCALE, SCALE, SCALE);
  }));
  return canvas;
}

/** The data with its mode and length, filled up. @param {Uint8Array} bytes @param {number} size */
function codewords(bytes, size) {
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, 8), ...[...bytes].flatMap((byte) => bitsOf(byte, 8)), 0, 0, 0, 0];
  const words = [];
  for (let start = 0; start < bits.length; start += 8) {
    words.push(bits.slice(start, start + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  }
  for (let fill = 0; words.length < size; fill += 1) words.push(fill % 2 ? 0x11 : 0xec);
  return words;
}

/** The Reed-Solomon checkwords. @param {number[]} data @param {number} count */
function checkwords(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    generator = [...generator, 0].map((term, index) => term ^ times(at(generator, index - 1), power(root)));
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let start = 0; start < data.length; start += 1) {
    const lead = at(rest, start);
    generator.forEach((term, index) => (rest[start + index] = at(rest, start + index) ^ times(term, lead)));
  }
  return rest.slice(data.length);
}

/** The product in GF(256) of QR codes. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** @param {number} exponent */
function power(exponent) {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) value = times(value, 2);
  return value;
}

/** @param {number} version @param {number[]} bits */
function modules(version, bits) {
  const size = 17 + 4 * version;
  /** @type {(boolean | undefined)[][]} */
  const rows = Array.from({ length: size }, () => Array(size));
  const set = (/** @type {number} */ y, /** @type {number} */ x, /** @type {boolean} */ isDark) => {
    const row = rows[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  for (const [y, x] of /** @type {[number, number][]} */ ([[3, 3], [3, size - 4], [size - 4, 3]])) square(set, y, x, 4);
  if (version > 1) square(set, size - 7, size - 7, 2);
  for (let place = 8; place < size - 8; place += 1) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  format(set, size);
  zigzag(rows, bits);
  return /** @type {boolean[][]} */ (rows);
}

/** @typedef {(y: number, x: number, isDark: boolean) => void} Set */

/** Nested squares around a place; the outermost of a finder is light. @param {Set} set @param {number} y @param {number} x @param {number} reach */
function square(set, y, x, reach) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      const ring = Math.max(Math.abs(down), Math.abs(right));
      set(y + down, x + right, reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
    }
  }
}

/** The level and the mask, twice, and the module that is always dark. @param {Set} set @param {number} size */
function format(set, size) {
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    set(8, bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit, isDark);
  }
  set(size - 8, 8, true);
}

/** Lay the bits in pairs of columns, up and down from the right, masked. @param {(boolean | undefined)[][]} rows @param {number[]} bits */
function zigzag(rows, bits) {
  const size = rows.length;
  let next = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const isUp = ((right > 6 ? size - 1 - right : size - right - 2) / 2) % 2 === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      const row = rows[y] ?? [];
      for (const x of [right, right - 1]) {
        if (row[x] === undefined) row[x] = ((bits[next++] ?? 0) ^ Number((y + x) % 2 === 0)) === 1;
      }
    }
  }
}

/** @param {number} value @param {number} length */
function bitsOf(value, length) {
  return Array.from({ length }, (_, place) => (value >> (length - 1 - place)) & 1);
}

/** @param {number[]} numbers @param {number} index */
function at(numbers, index) {
  return numbers[index] ?? 0;
}
