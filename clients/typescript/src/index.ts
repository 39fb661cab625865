/** The client of a Tabularium server. */

export { Tabularium } from "./client.js";
export type { Choose, Played } from "./client.js";
export { ConnectionError, ProblemError, TabulariumError } from "./errors.js";
export { freshSeed } from "./seeds.js";
export type { Seed } from "./seeds.js";
export type { Update } from "./streams.js";
export type { CallOptions, ClientOptions } from "./http.js";
export type * from "./types.js";
export { InvalidExport, verifyExport } from "./verification/export.js";
export type { Recorded, Verdict, VerifyOptions } from "./verification/export.js";
