import type { Config } from "./schema.ts";
import { configFields, valueAt } from "./shape.ts";

export interface EffectiveValue {
  /** Such as `limits.session_s`. */
  readonly path: string;
  /** Undefined where the field is absent and has no default. */
  readonly value: unknown;
  readonly source: "file" | "default";
}

/**
 * The values that hold, those without a default too.
 *
 * @param config as parsed
 * @param file what the file holds; undefined where there is none
 */
export function effectiveValues(config: Config, file: unknown): EffectiveValue[] {
  const fields = configFields()
    .map(({ path }) => path)
    .filter((path) => !path.includes("*") && path !== "$schema");
  const agents = Object.entries(config.agents).flatMap(([name, program]) =>
    Object.keys(program).map((key) => ["agents", name, key]),
  );
  return [...fields.map((path) => path.split(".")), ...agents].map((keys) => ({
    path: keys.join("."),
    value: valueAt(config, keys),
    source: valueAt(file, keys) === undefined ? "default" : "file",
  }));
}
