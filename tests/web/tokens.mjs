// Compares the tokens of pairs of scripts, as TypeScript reads them: node tokens.mjs TYPESCRIPT PAIRS

import { readFileSync } from "node:fs";

const [, , library, pairs] = process.argv;
const { default: ts } = await import(library);

/** @param {string} text */
function tokensOf(text) {
  const file = ts.createSourceFile("script.js", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  if (file.parseDiagnostics.length) throw new Error(JSON.stringify(file.parseDiagnostics[0].messageText));
  const found = [];
  const isCode = ({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode;
  (function visit(node) {
    const children = node.getChildren(file).filter(isCode);
    if (children.length) children.forEach(visit);
    else found.push(`${node.kind} ${node.getText(file)}`);
  })(file);
  return found.join("\n");
}

const all = JSON.parse(readFileSync(pairs, "utf8"));
for (const [one, other] of all) if (tokensOf(one) !== tokensOf(other)) throw new Error(one.slice(0, 200));
console.log(all.length);
