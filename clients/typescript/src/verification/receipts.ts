/** Receipts, the server's signatures (docs/fairness.md, part 7). */

import { fromHex, utf8, webCrypto } from "../web_crypto.js";
import { canonical } from "./canonical.js";
import type { SignedHead } from "./shapes.js";

/** Whether Ed25519 can be checked here: old browsers cannot. */
export async function canCheckSignatures(): Promise<boolean> {
  const { subtle } = await webCrypto();
  try {
    await subtle.importKey("raw", new Uint8Array(32), "Ed25519", false, ["verify"]);
    return true;
  } catch (problem) {
    return (problem as Error).name !== "NotSupportedError";
  }
}

/** Whether this is the key's signature of a message. */
export async function hasSigned(key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = await webCrypto();
  try {
    const publicKey = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", publicKey, signature, message);
  } catch {
    return false;
  }
}

/** Whether the signature of a receipt is that of its key. */
export async function isGenuine({ game, hash, key, seq, signature }: SignedHead): Promise<boolean> {
  return hasSigned(fromHex(key), utf8(`tabularium/receipt/1${canonical({ game, hash, seq })}`), fromHex(signature));
}
