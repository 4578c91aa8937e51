import { Option } from "commander";
import { z } from "zod";
import { shellWord } from "../../lib/shell-word.ts";
import { collect } from "./command.ts";

/**
 * An option for each field of a schema: texts and choices take a value, a list is given entry by entry (`options` by
 * `--option`), yes or no are `--blocking` and `--no-blocking`. What the schema requires is mandatory.
 *
 * @throws Error: no option exists yet for the type of a field
 */
export function optionsOf(schema: z.ZodObject): Option[] {
  return propertiesOf(schema).flatMap(({ name, flag, property, required }) => {
    const meaning = property.description ?? "";
    switch (property.type) {
      case "boolean":
        return [
          new Option(`--${flag}`, `${meaning || "yes"} (or --no-${flag})`).makeOptionMandatory(required),
          new Option(`--no-${flag}`, "no"),
        ];
      case "array":
        return [
          new Option(`--${flag} <text>`, [meaning, "(repeatable)"].join(" ").trim())
            .argParser(collect)
            .makeOptionMandatory(required),
        ];
      case "string": {
        const choices = property.enum?.map(String);
        const option = new Option(`--${flag} <${choices ? name : "text"}>`, meaning);
        return [(choices ? option.choices(choices) : option).makeOptionMandatory(required)];
      }
      default:
        throw new Error(`There is no option for ${name}, which is of type ${property.type}.`);
    }
  });
}

/** The values of a schema's fields that were given as options; what was not given is absent. */
export function valuesOf(
  schema: z.ZodObject,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = propertiesOf(schema).map(({ name, flag }) => [
    name,
    options[new Option(`--${flag}`).attributeName()],
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Values of a schema's fields as one would type them, for examples. */
export function typed(schema: z.ZodObject, values: Readonly<Record<string, unknown>>): string {
  return propertiesOf(schema)
    .filter(({ name }) => values[name] !== undefined)
    .flatMap(({ name, flag }) => {
      const value = values[name];
      if (typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`];
      return [value].flat().map((one) => `--${flag} ${shellWord(String(one))}`);
    })
    .join(" ");
}

function propertiesOf(schema: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    // A zod object's fields are schemas, never the plain true and false that JSON Schema also knows.
    const known = typeof property === "boolean" ? {} : property;
    const flag = known.type === "array" ? name.replace(/s$/, "") : name;
    return { name, flag: flag.replaceAll("_", "-"), property: known, required: required.includes(name) };
  });
}
