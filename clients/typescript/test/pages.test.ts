/** Every block of TypeScript in the documentation compiles strictly, runs, and prints what the page says. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const url = process.env["TABULARIUM_URL"] ?? "http://127.0.0.1:8000";
const root = fileURLToPath(new URL("../", import.meta.url));
const folder = `${root}build/pages`;
const BLOCK = /^```ts\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?/gms;

const pages = ["../../docs/clients-typescript.md", "README.md"];
const blocks = pages.flatMap((page) =>
  [...readFileSync(root + page, "utf8").matchAll(BLOCK)].map(([, code = "", output = ""]) => ({ page, code, output })),
);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [number, { code }] of blocks.entries()) {
  writeFileSync(`${folder}/block${number}.ts`, code.replaceAll("http://127.0.0.1:8000", url));
}
const include = ["."];
const compilerOptions = { outDir: "js", rootDir: ".", declaration: false, types: ["node"] };
writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include }));

test("all blocks compile, and the complete bot has less than 30 lines", () => {
  assert.ok(blocks.length >= 7);
  execFileSync("npx", ["tsc", "--project", folder], { cwd: root, stdio: "inherit" });
  assert.ok((blocks[0]?.code.split("\n").length ?? 0) < 30);
});

for (const [number, { page, output }] of blocks.entries()) {
  test(`block ${number + 1}, of ${page}`, () => {
    const printed = execFileSync(process.execPath, [`${folder}/js/block${number}.js`], { cwd: root, encoding: "utf8" }).split("\n");
    for (const line of output.split("\n")) {
      const pattern = new RegExp(`^${line.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
      assert.ok(line === "…" || printed.some((other) => pattern.test(other)), `there is no line ${line} in ${printed.join("\n")}`);
    }
  });
}
