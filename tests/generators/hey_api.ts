/** Whole games with the client of @hey-api/openapi-ts: `hey_api.js ADDRESS`. */

import assert from "node:assert/strict";
import { act, createGame, createGuest, game, listRules, log, type NewGame, type Rules, type View } from "./build/hey-api";
import { client } from "./build/hey-api/client.gen";
import { numbersFrom } from "./choosing";

const headers = { Prefer: "wait=20" };
const throwOnError = true;

async function play(rules: Rules): Promise<string> {
  const bots = Array.from({ length: rules.seats.fewest - 1 }, () => ({ kind: "bot" as const, bot: "random" }));
  const body: NewGame = { rules: rules.slug, seats: [{ kind: "me" }, ...bots] };
  let { data: table } = await createGame({ body, headers, throwOnError });
  const path = { game: table.id };
  const random = numbersFrom(rules.slug);
  while (table.phase !== "over") {
    if (table.choice?.is_awaited) {
      const { seat, token: choice, offers } = table.choice;
      await act({ path, headers, body: { seat, choice, action: offers[random(offers.length)]?.action }, throwOnError });
    } else {
      await log({ path, headers, query: { after: table.seq, limit: 1 }, throwOnError });
    }
    ({ data: table } = await game({ path, throwOnError }));
  }
  assert.ok(table.result);
  assert.ok(table.options && table.view);
  assert.equal(table.options.type, `${rules.slug}.options.v${rules.version}`);
  assert.equal(table.view.type, `${rules.slug}.view.v${rules.version}`);
  const { data: again } = await createGame({ body: { ...body, options: table.options }, throwOnError });
  assert.deepEqual(again.options, table.options);
  return table.result.reason;
}

/** The unions of options and views tell the rulesets apart: this compiles. */
export function ofView(view: View): unknown {
  return view.type === "law_of_the_dice.view.v2" ? view.options.suit_by : view.type === "duality.view.v1" ? view.seat : null;
}

async function main(address: string): Promise<void> {
  client.setConfig({ baseUrl: address });
  const { data: guest } = await createGuest({ body: { name: "Ada" }, throwOnError });
  client.setConfig({ baseUrl: address, auth: () => guest.secret });
  const { data } = await listRules({ throwOnError });
  for (const rules of data.items) console.log(`@hey-api/openapi-ts: ${rules.slug}: ${await play(rules)}`);
}

void main(process.argv[2] ?? "http://127.0.0.1:8000");
