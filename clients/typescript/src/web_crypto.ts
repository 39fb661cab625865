/** Web Crypto: the global one, or that of Node 18, where it is no global. */

export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  const module = "node:crypto"; // in a variable, so that bundlers for browsers leave it alone
  return ((await import(module)) as { webcrypto: Crypto }).webcrypto;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

export function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export async function sha256(...parts: Uint8Array[]): Promise<string> {
  const { subtle } = await webCrypto();
  return toHex(new Uint8Array(await subtle.digest("SHA-256", joined(...parts))));
}
