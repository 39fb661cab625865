/** Signs that it is the person's turn, each with a switch: a sound, a notification; off until asked for. */

import { read, write } from "./account.js";
import { h } from "./dom.js";
import { TABLE } from "./strings/table.js";

const SOUND = "tabularium.sound";
const NOTIFY = "tabularium.notify";

/** Tell that it is the person's turn, unless the page is before their eyes. @param {string} text */
export function alertTurn(text) {
  if (read(SOUND) === "true") ring();
  if (read(NOTIFY) === "true" && document.hidden && globalThis.Notification?.permission === "granted") {
    const note = new Notification(text, { tag: location.pathname });
    note.addEventListener("click", () => window.focus());
  }
}

/** Two soft notes, made here. */
function ring() {
  const context = new AudioContext();
  [660, 880].forEach((pitch, place) => {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const begin = context.currentTime + place * 0.14;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 0.3);
  });
  setTimeout(() => context.close(), 1000);
}

/** The switches. */
export function alertSwitches() {
  return [
    toggle(SOUND, TABLE.sound, async () => true),
    toggle(NOTIFY, TABLE.notify, async () => (await globalThis.Notification?.requestPermission()) === "granted"),
  ];
}

/**
 * A box whose state this browser keeps.
 * @param {string} name @param {string} label @param {() => Promise<boolean>} [permit] @param {boolean} [standard]
 */
export function toggle(name, label, permit = async () => true, standard = false) {
  const box = h("input", { type: "checkbox" });
  const set = read(name);
  box.checked = set === null ? standard : set === "true";
  box.addEventListener("change", async () => {
    if (box.checked) box.checked = await permit();
    write(name, String(box.checked));
  });
  return h("label", {}, box, label);
}
