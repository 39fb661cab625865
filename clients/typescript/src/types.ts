/** Short names for the types of the API document, from which `npm run types` makes document.ts. */

import type { components, paths } from "./document.js";
import type { CallOptions } from "./http.js";

export type { components, operations, paths } from "./document.js";

export type Schemas = components["schemas"];

export type Account = Schemas["Me"];
export type Action = Schemas["Action"];
export type ActionResult = Schemas["ActionResult"];
export type Bot = Schemas["BotView"];
export type Choice = Schemas["ChoiceView"];
export type Entry = Schemas["EntryView"];
export type Game = Schemas["GameView"];
export type GameUpdate = Schemas["GameUpdate"];
export type Guest = Schemas["Guest"];
export type LobbyUpdate = Schemas["LobbyUpdate"];
export type NewActions = Schemas["NewActions"];
export type NewGame = Schemas["NewGame"];
export type Offer = Schemas["Offer"];
export type GameOptions = Schemas["Options"];
export type Outcome = Schemas["Outcome"];
export type Problem = Schemas["Problem"];
export type Receipt = Schemas["Receipt"];
export type Rules = Schemas["Rules"];
export type View = Schemas["View"];

/** The code of every problem that an operation may give. */
export type ProblemCode = {
  [Name in keyof Schemas]: Name extends `${string}Refusal`
    ? Schemas[Name] extends { code: infer Code } ? Code : never
    : never;
}[keyof Schemas];

// -- the parts of an operation ----------------------------------------------------------------------

export type Method = "get" | "post" | "patch" | "delete";

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;

type PathParametersOf<O> = O extends { parameters: { path: infer T } } ? { path: T } : { path?: never };
type QueryOf<O> = O extends { parameters: { query?: infer T } } ? { query?: T } : { query?: never };
type BodyOf<O> = O extends { requestBody: { content: infer C } } ? { body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } } ? { body?: C[keyof C] }
  : { body?: never };

/** What an operation is called with: the parameters of its path and of its query, and its body. */
export type Input<O> = PathParametersOf<O> & QueryOf<O> & BodyOf<O>;

/** The body of an operation. */
export type Body<O> = Exclude<Input<O>["body"], undefined>;

/** The query of an operation, and how it is called. */
export type Options<O> = QueryOf<O> & CallOptions;

type ContentOf<R> = R extends { content: infer C } ? C[keyof C] : undefined;
type Success = 200 | 201 | 202 | 204;

/** What an operation returns: its JSON, or its text. */
export type Output<O> = O extends { responses: infer R } ? ContentOf<R[keyof R & Success]> : never;
