// A call whose reply is lost is the same request again: its idempotency key stays, so that it is done once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Api } from "../../../web/assets/api.js";

globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};

/** Answer so many requests with nothing, and the next ones with a game; the requests. */
function fetchAfter(losses) {
  const requests = [];
  globalThis.fetch = async (url, request) => {
    requests.push({ url, ...request });
    if (requests.length <= losses) throw new TypeError("the connection is lost");
    return new Response('{"id": "game_1"}', { headers: { "Content-Type": "application/json" } });
  };
  return requests;
}

test("a lost reply is asked for again under the same idempotency key", async () => {
  const requests = fetchAfter(1);
  assert.deepEqual(await new Api().call("createGame", { body: { rules: "duality" } }), { id: "game_1" });
  assert.equal(requests.length, 2);
  assert.match(requests[0].headers["Idempotency-Key"], /^"[0-9a-f]{32}"$/);
  assert.deepEqual(requests[1], requests[0]);
});

test("another call has another idempotency key", async () => {
  const requests = fetchAfter(0);
  const api = new Api();
  for (let count = 0; count < 2; count += 1) await api.call("createGame", { body: { rules: "duality" } });
  assert.notEqual(requests[0].headers["Idempotency-Key"], requests[1].headers["Idempotency-Key"]);
});
