/** Whole games with the types of openapi-typescript and openapi-fetch: `openapi_fetch.js ADDRESS`. */

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./build/openapi-typescript";
import { numbersFrom } from "./choosing";

type Schemas = components["schemas"];
const WAIT = { Prefer: "wait=20" };

/** What a call returned; a problem is thrown. */
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert.ok(data !== undefined, JSON.stringify(error));
  return data;
}

async function play(address: string, rules: Schemas["Rules"], secret: string): Promise<string> {
  const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${secret}` } });
  const bots = Array.from({ length: rules.seats.fewest - 1 }, () => ({ kind: "bot" as const, bot: "random" }));
  const body: Schemas["NewGame"] = { rules: rules.slug, seats: [{ kind: "me" }, ...bots] };
  let table = got(await client.POST("/api/v1/games", { params: { header: WAIT }, body }));
  const params = { path: { game: table.id } };
  const random = numbersFrom(rules.slug);
  while (table.phase !== "over") {
    if (table.choice?.is_awaited) {
      const { seat, token: choice, offers } = table.choice;
      const action = offers[random(offers.length)]?.action;
      got(await client.POST("/api/v1/games/{game}/actions", { params: { ...params, header: WAIT }, body: { seat, choice, action } }));
    } else {
      const query = { after: table.seq, limit: 1 };
      got(await client.GET("/api/v1/games/{game}/log", { params: { ...params, query, header: WAIT } }));
    }
    table = got(await client.GET("/api/v1/games/{game}", { params }));
  }
  assert.ok(table.result);
  assert.ok(table.options && table.view);
  assert.equal(table.options.type, `${rules.slug}.options.v${rules.version}`);
  assert.equal(table.view.type, `${rules.slug}.view.v${rules.version}`);
  const again = got(await client.POST("/api/v1/games", { body: { ...body, options: table.options } }));
  assert.deepEqual(again.options, table.options);
  return table.result.reason;
}

/** The unions of options and views tell the rulesets apart: this compiles. */
export function ofView(view: Schemas["View"]): unknown {
  return view.type === "law_of_the_dice.view.v2" ? view.options.suit_by : view.type === "duality.view.v1" ? view.seat : null;
}

async function main(address: string): Promise<void> {
  const client = createClient<paths>({ baseUrl: address });
  const guest = got(await client.POST("/api/v1/guests", { body: { name: "Ada" } }));
  const { items } = got(await client.GET("/api/v1/rules"));
  for (const rules of items) console.log(`openapi-fetch: ${rules.slug}: ${await play(address, rules, guest.secret)}`);
}

void main(process.argv[2] ?? "http://127.0.0.1:8000");
