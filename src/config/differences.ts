import type { Config } from "./schema.ts";

/** A field in which two configurations differ. */
export interface Difference {
  /** Such as `limits.session_s`. */
  readonly path: string;
  /** Undefined where the field is absent and has no default. */
  readonly before: unknown;
  readonly now: unknown;
}

/** Every field whose value differs, defaults written out, in the order of the fields. */
export function differences(before: Config, now: Config): Difference[] {
  const was = new Map(leavesOf(before));
  const is = new Map(leavesOf(now));
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((path) => ({ path, before: was.get(path), now: is.get(path) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.now));
}

function leavesOf(value: unknown, path = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key);
    return leavesOf(inner, path === "" ? name : `${path}.${name}`);
  });
}
