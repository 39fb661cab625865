// A page without a framework, a game or a check: it posts, fetches a picture and shows it.

const board = document.getElementById("board");
let kept = []; // the pictures of the replay

function show(text) {
  board.replaceChildren(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
}

async function read(address, options) {
  return await (await fetch(address, options)).text();
}

document.querySelector("button").addEventListener("click", async () => {
  await read("actions", { method: "POST", body: "{}" });
  show(await read("picture.svg"));
});

async function hashLines(address) {
  const lines = (await read(address)).split("\n").filter(Boolean);
  const encoder = new TextEncoder();
  return await timed(async () => {
    for (const line of lines) {
      JSON.parse(line);
      await crypto.subtle.digest("SHA-256", encoder.encode(line));
    }
  });
}

async function loadReplay() {
  const start = performance.now();
  kept = (await read("replay.ndjson")).trim().split("\n").map((line) => JSON.parse(line).svg);
  show(kept[0]);
  return performance.now() - start;
}

async function readSingly() {
  const { length: count } = kept;
  const start = performance.now();
  for (let number = 0; number < count; number += 1) await read(`picture.svg?${number}`);
  return (1000 * count) / (performance.now() - start);
}

async function swap(isPainted) {
  const took = await timed(async () => {
    for (const text of kept) {
      show(text);
      if (isPainted) await new Promise(requestAnimationFrame);
    }
  });
  return (1000 * kept.length) / took;
}

Object.assign(window, { hashLines, loadReplay, readSingly, swap });
show(await read("picture.svg"));
