import { resourceKinds } from "./kinds.ts";
import type { Place } from "./list.ts";

/**
 * The opaque cursor of the next page (MCP, Pagination). Stays valid while resources come and go.
 */
export function encodeCursor({ kind, after }: Place): string {
  return Buffer.from(`${kind} ${after}`).toString("base64url");
}

/** Undefined for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): Place | undefined {
  const [, kind, after] = /^(\d) (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const place = { kind: Number(kind), after: Number(after) };
  return resourceKinds[place.kind] && encodeCursor(place) === cursor ? place : undefined;
}
