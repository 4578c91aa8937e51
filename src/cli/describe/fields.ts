import { z } from "zod";

/** One field of a schema, as people read it. */
export interface Field {
  readonly name: string;
  /** `text`, `whole number`, `info · warning · blocking`, `list of text`, … */
  readonly type: string;
  readonly required: boolean;
  /** What its value is bounded by, or what it is where it is absent; empty: nothing is. */
  readonly limits: string;
  readonly meaning: string;
}

/** The fields of a schema, from the side of who gives a value (`input`) or of who gets one (`output`). */
export function fieldsOf(schema: z.ZodObject, io: "input" | "output"): Field[] {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, io);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: required.includes(name),
    limits: limitsOf(property),
    meaning: typeof property === "object" ? (property.description ?? "") : "",
  }));
}

/** The JSON Schema of a zod schema. */
export function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output") {
  return z.toJSONSchema(schema, { io });
}

type Property = z.core.JSONSchema._JSONSchema;

function typeOf(property: Property): string {
  if (typeof property === "boolean") return "anything";
  const { type, enum: values, const: only, items, anyOf, properties } = property;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.join(" · ");
  if (only !== undefined) return JSON.stringify(only);
  if (type === "array" && items !== undefined) return `list of ${[items].flat().map(typeOf).join(", ")}`;
  if (type === "object" && properties) return `object {${Object.keys(properties).join(", ")}}`;
  return type === undefined
    ? "anything"
    : [type]
        .flat()
        .map((one) => TYPES[one] ?? one)
        .join(" or ");
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "whole number",
};

function limitsOf(property: Property): string {
  if (typeof property === "boolean") return "";
  const { default: absent, maxLength, maxItems, minimum, maximum } = property;
  const parts = [
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems}`,
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `up to ${maximum}`,
    absent !== undefined && `absent: ${JSON.stringify(absent)}`,
  ];
  return parts.filter((part) => part !== false).join("; ");
}
