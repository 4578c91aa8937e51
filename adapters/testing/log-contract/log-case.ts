import { deepStrictEqual } from "node:assert/strict";
import type { GivenLog } from "./opened-log.ts";

/** One promise of every event log, and a check that tries it on an empty log. */
export interface LogCase {
  readonly name: string;
  check(given: GivenLog): Promise<void>;
}

export function logCase(name: string, check: LogCase["check"]): LogCase {
  return { name, check };
}

/** Asserts that a value has the expected fields, at any depth; it may have more. */
export function hasFields(actual: unknown, expected: object): void {
  deepStrictEqual(partOf(actual, expected), expected);
}

/** The fields of a value that another one has. */
function partOf(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, partOf(actual[key], expected[key])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
