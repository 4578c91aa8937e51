import fc from "fast-check";
import type { RequestId } from "./agent-server.ts";
import { type Call, type Draft, draft, silent } from "./line-kinds.ts";

/** A line of a client's input, without its end, and what must come of it. */
export interface Line {
  readonly bytes: Buffer;
  readonly expected: Expected;
}

export type Expected =
  /** Notifications, responses and blank lines ask for nothing. */
  | { readonly answer: "none"; readonly reported?: boolean }
  /** An error whose id is null, since none could be read. */
  | { readonly answer: "no id"; readonly code: number }
  | {
      readonly answer: "error";
      readonly id: RequestId;
      readonly codes: readonly number[];
      readonly names: string;
    }
  | { readonly answer: "result"; readonly id: RequestId }
  /** A tool's own answer that names what was wrong. */
  | { readonly answer: "refused"; readonly id: RequestId; readonly names: string }
  | { readonly answer: "recorded"; readonly id: RequestId; readonly call: Call }
  | { readonly answer: "recorded or refused"; readonly id: RequestId; readonly call: Call }
  /** A call that is sent again: answered as the one with the id `first`. */
  | { readonly answer: "as before"; readonly id: RequestId; readonly first: RequestId };

/** A line that asks for nothing stands after so many that do. */
const SILENT_EVERY = 20;

/** `count` lines that are to be answered, and some that are not. The same seed gives the same lines. */
export function generateLines(seed: number, count: number): Line[] {
  const drafts = fc.sample(draft, { seed, numRuns: count });
  const silences = fc.sample(silent, { seed, numRuns: Math.ceil(count / SILENT_EVERY) });
  let named: { id: RequestId; use: string; call: Call } | undefined;
  return drafts.flatMap((one, index) => {
    const id = index % 3 === 0 ? `call ${index} ✂️` : index;
    const line = lineOf(one, id, named);
    if (one.is === "call" && one.named) named = { id, use: useOf(id), call: one.call };
    const silence = index % SILENT_EVERY === 0 ? silences[index / SILENT_EVERY] : undefined;
    return silence ? [line, lineOf(silence, id, named)] : [line];
  });
}

const useOf = (id: RequestId) => `toolu_${id}`;

function lineOf(
  one: Draft,
  id: RequestId,
  named: { id: RequestId; use: string; call: Call } | undefined,
): Line {
  switch (one.is) {
    case "call":
      return line(id, callOf(one.call, one.named ? useOf(id) : undefined), {
        answer: "recorded",
        id,
        call: one.call,
      });
    case "wrong call":
      return line(id, callOf(one.call), { answer: "refused", id, names: one.names });
    case "any call":
      return line(id, callOf(one.call), { answer: "recorded or refused", id, call: one.call });
    case "again":
      if (!named) return line(id, { method: "ping" }, { answer: "result", id });
      return one.changed
        ? line(id, callOf({ name: "stuck", args: { reason: `Another call, ${id}.` } }, named.use), {
            answer: "refused",
            id,
            names: "an earlier call with the same id had other arguments",
          })
        : line(id, callOf(named.call, named.use), { answer: "as before", id, first: named.id });
    case "request":
      return line(
        id,
        one.request,
        one.codes ? { answer: "error", id, codes: one.codes, names: one.names } : { answer: "result", id },
      );
    case "no request":
      return { bytes: one.bytes, expected: { answer: "no id", code: one.code } };
    case "silent":
      return { bytes: one.bytes, expected: { answer: "none", reported: one.reported } };
  }
}

function line(id: RequestId, request: object, expected: Expected): Line {
  return { bytes: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, ...request })), expected };
}

function callOf({ name, args }: Call, use?: string): object {
  return {
    method: "tools/call",
    params: { name, arguments: args, ...(use !== undefined && { _meta: { "claudecode/toolUseId": use } }) },
  };
}
