import { resourceKinds } from "./kinds.ts";
import type { Place } from "./list.ts";

/** What a client sends back to get the next page; opaque to it (MCP, Pagination). It holds on whatever comes or goes meanwhile. */
export function encodeCursor({ kind, after }: Place): string {
  return Buffer.from(`${kind} ${after}`).toString("base64url");
}

/** Undefined for anything that is no cursor of `encodeCursor`. */
export function decodeCursor(cursor: string): Place | undefined {
  const [, kind, after] = /^(\d) (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const place = { kind: Number(kind), after: Number(after) };
  return resourceKinds[place.kind] && encodeCursor(place) === cursor ? place : undefined;
}
