// A player in a page of another origin, with nothing but `fetch`.

const PATIENCE = AbortSignal.timeout(120_000); // ms, on a busy machine
const WAIT = { Prefer: "wait=20" };
const LINES = { Accept: "application/x-ndjson" };

/** Send requests to the API with this key. */
export function caller(api, key) {
  const authorization = key ? { Authorization: `Bearer ${key}` } : {};
  return (method, path, { body, headers = {} } = {}) =>
    fetch(api + path, {
      method,
      headers: { ...authorization, ...(body && { "Content-Type": "application/json" }), ...headers },
      body: body && JSON.stringify(body),
      cache: "no-store", // the page keeps its own copies
      signal: PATIENCE,
    });
}

/** All of a response that the page may read. */
export async function call(api, key, method, path, options) {
  const response = await caller(api, key)(method, path, options);
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), text: await response.text() };
}

/** The key of a new guest. */
export async function guest(api) {
  return (await (await caller(api)("POST", "/guests", { body: {} })).json()).secret;
}

/** The items of an NDJSON stream, each as soon as it is there. */
export async function* items(response) {
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
  }
}

/** Play a whole game, taking the last offer each time, and read each entry before the next action.
 * Where another seat has reacted in between, look at the game again. */
export async function play(api, table) {
  const ask = caller(api, await guest(api));
  const json = async (...request) => (await ask(...request)).json();
  let now = await json("POST", "/games", { body: table, headers: WAIT });
  const game = `/games/${now.id}`;
  const stream = items(await ask("GET", `${game}/stream`, { headers: LINES }));
  const seqs = [];
  let actions = 0;
  while (now.result === null) {
    while (seqs.length < now.seq) seqs.push((await stream.next()).value.seq);
    if (now.choice?.is_awaited) {
      const { seat, token, offers } = now.choice;
      const body = { seat, choice: token, action: offers.at(-1).action };
      const done = await json("POST", `${game}/actions`, { body, headers: WAIT });
      if (done.code && done.code !== "stale-choice") throw new Error(JSON.stringify(done));
      now = done.code ? await json("GET", game) : done;
      actions += done.code ? 0 : 1;
    } else {
      await ask("GET", `${game}/log?after=${now.seq}&limit=1`, { headers: WAIT });
      now = await json("GET", game);
    }
  }
  for await (const { seq } of stream) seqs.push(seq);
  return { game, actions, seqs, result: now.result };
}

/** The types of all events that an EventSource gets before it stops by itself. */
export async function eventTypes(url) {
  const source = new EventSource(url);
  const types = [];
  source.addEventListener("entry", ({ data }) => types.push(JSON.parse(data).action.type));
  const failed = () => new Promise((resolve) => (source.onerror = resolve));
  while (source.readyState !== EventSource.CLOSED) {
    PATIENCE.throwIfAborted();
    await failed(); // it connects again by itself, unless the server answers 204
  }
  return types;
}

/** The width and height of a picture. */
export async function size(url) {
  const image = new Image();
  image.crossOrigin = "anonymous"; // so that a canvas may read it
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
  canvas.drawImage(image, 0, 0);
  canvas.getImageData(0, 0, 1, 1);
  return [image.naturalWidth, image.naturalHeight];
}
