import type { z } from "zod";
import { withoutPassword } from "../events/log-location.ts";
import { nearest } from "../lib/nearest.ts";
import { inOurWords, showValue } from "../lib/wrong-values.ts";
import type { ConfigFault } from "./fault.ts";
import { faultsOfMeaning } from "./meaning.ts";
import { configSchema } from "./schema.ts";
import { fieldsAt, rightAt, valueAt, wherever } from "./shape.ts";

/** Every fault of what a configuration's file holds; none where it can be used. */
export function faultsIn(value: unknown): readonly ConfigFault[] {
  // It is read once: compiling the schema for that would take longer.
  const parsed = configSchema.safeParse(value, { ...inOurWords, jitless: true });
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => explain(issue, value));
  return faultsOfMeaning(parsed.data, value);
}

function explain(issue: z.core.$ZodIssue, value: unknown): ConfigFault[] {
  const keys = issue.path.map(String);
  const path = keys.join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...keys, key].join("."),
        message: unknown(key, keys, value),
      }));
    case "invalid_key":
      return [{ path, message: issue.issues.map(({ message }) => message).join("; ") }];
    case "invalid_union": {
      // Of what is an object, the faults of its fields.
      const inner = issue.errors.find((issues) =>
        issues.some(({ code, path: at }) => code !== "invalid_type" || at.length > 0),
      );
      if (!inner) return [{ path, message: wrongValue(keys, value) }];
      return inner.flatMap((one) => explain({ ...one, path: [...issue.path, ...one.path] }, value));
    }
    case "custom":
      return [{ path, message: issue.message }];
    default:
      return [{ path, message: wrongValue(keys, value) }];
  }
}

function wrongValue(keys: readonly string[], value: unknown): string {
  const found = valueAt(value, keys);
  const is = found === undefined ? "is missing" : `is ${withoutPassword(showValue(found))}`;
  return `${is}; it must be ${rightAt(keys, value)}`;
}

/** Of a key that no field has: the field that was meant, or where the key belongs, or what there is. */
function unknown(key: string, keys: readonly string[], value: unknown): string {
  const former = FORMER.get([...keys, key].join("."));
  if (former !== undefined) return former;
  const fields = fieldsAt(keys, value);
  const near = nearest(key, fields);
  if (near !== undefined) return `is not a field (did you mean "${near}"?)`;
  const elsewhere = wherever(key).filter((path) => path !== [...keys, key].join("."));
  if (elsewhere.length > 0) return `is not a field here; it belongs at "${elsewhere.join('" or "')}"`;
  return `is not a field; the fields are ${fields.join(", ")}`;
}

/** Fields of earlier versions. */
const FORMER: ReadonlyMap<string, string> = new Map([
  [
    "limits.unusable_pause_s",
    'was removed; set "limits.backoff_s" and "limits.backoff_most_s" instead, or leave it out',
  ],
]);
