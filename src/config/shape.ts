import { z } from "zod";
import { configSchema } from "./schema.ts";

/** What editors read: the schema of the file, before defaults are put in. */
export function configJsonSchema(): Shape {
  // zod's type is that of any JSON Schema; what it makes of this one has no more than a Shape's parts.
  return z.toJSONSchema(configSchema, { io: "input" }) as Shape;
}

/** The parts of a JSON Schema that are looked at here. */
export interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Shape[];
  /** A plain value, or an object that says more. */
  readonly anyOf?: readonly Shape[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly format?: string;
}

export interface ConfigField {
  /** Such as `limits.session_s`; `agents.*.command` for a field of every agent. */
  readonly path: string;
  readonly shape: Shape;
}

/** Every field that holds a value, in the order of the schema; one that two kinds of agent have is there twice. */
export function configFields(shape: Shape = configJsonSchema(), path: readonly string[] = []): ConfigField[] {
  const own = Object.entries(shape.properties ?? {});
  const inner = shape.additionalProperties || undefined;
  if (shape.anyOf)
    return [{ path: path.join("."), shape }, ...shape.anyOf.flatMap((one) => fieldsOfObject(one, path))];
  if (own.length === 0 && !inner && !shape.oneOf) return [{ path: path.join("."), shape }];
  return [
    ...own.flatMap(([name, property]) => configFields(property, [...path, name])),
    ...(inner ? configFields(inner, [...path, "*"]) : []),
    ...(shape.oneOf ?? []).flatMap((kind) => configFields(kind, path)),
  ];
}

function fieldsOfObject(shape: Shape, path: readonly string[]): ConfigField[] {
  return shape.properties ? configFields(shape, path) : [];
}

/** The names that an object at this place may have. */
export function fieldsAt(keys: readonly string[], value: unknown): string[] {
  return Object.keys(shapeAt(keys, value)?.properties ?? {});
}

/** What would be right at this place, in words. */
export function rightAt(keys: readonly string[], value: unknown): string {
  const shape = shapeAt(keys, value);
  if (shape === undefined && keys.at(-1) === "kind") {
    const path = [...keys.slice(0, -2), "*", "kind"].join(".");
    const kinds = configFields().filter((field) => field.path === path);
    return `one of ${kinds.map((field) => field.shape.const).join(", ")}`;
  }
  return shape ? inWords(shape) : "left out";
}

/** Where a field of this name is. */
export function wherever(name: string): string[] {
  const paths = configFields().map(({ path }) => path);
  return [...new Set(paths.filter((path) => path.split(".").at(-1) === name && !path.includes("*")))];
}

/** What a JSON value holds at a place; undefined where there is nothing. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isObject(inner) ? Object.getOwnPropertyDescriptor(inner, key)?.value : undefined),
    value,
  );
}

function shapeAt(keys: readonly string[], value: unknown): Shape | undefined {
  let shape: Shape | undefined = configJsonSchema();
  let inner: unknown = value;
  for (const key of keys) {
    inner = valueAt(inner, [key]);
    shape = shape?.properties?.[key] ?? (shape?.additionalProperties || undefined);
    if (shape?.oneOf && isObject(inner)) {
      const kind = inner.kind;
      shape = shape.oneOf.find(({ properties }) => properties?.kind?.const === kind);
    }
    if (shape?.anyOf && isObject(inner)) shape = shape.anyOf.find(({ properties }) => properties);
  }
  return shape;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What a field may hold. */
export function inWords(shape: Shape): string {
  const { type, minimum, maximum, exclusiveMinimum } = shape;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return `one of ${shape.enum.join(", ")}`;
  if (shape.anyOf) {
    const names = shape.anyOf.flatMap(({ properties = {} }) => Object.keys(properties));
    return shape.anyOf.some(({ type: one }) => one === "boolean")
      ? `true or false, or an object with ${names.join(", ")}`
      : `an object with ${names.join(" or ")}`;
  }
  if (shape.oneOf) {
    const kinds = shape.oneOf.map(({ properties = {} }) => properties.kind?.const);
    return `an object with a "kind", one of ${kinds.join(", ")}`;
  }
  if (type === "boolean") return "true or false";
  if (type === "integer" && minimum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  if (type === "integer") return "a whole number above 0";
  if (type === "number")
    return exclusiveMinimum === undefined ? "a number" : `a number above ${exclusiveMinimum}`;
  if (shape.format === "uri") return "a URL that begins with http:// or https://";
  if (type === "string") return "text that is neither empty nor too long";
  if (type !== "array") return "an object";
  return shape.items?.type === "object" ? "a list of objects" : "a list of texts, at most 100";
}
