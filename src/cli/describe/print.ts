import { columnType } from "../../projections/contract.ts";
import { pc, print, printTable } from "../output.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { descriptionOf } from "./schemas.ts";
import { type Thing, things } from "./things.ts";

/** All names, by their kinds. */
export function namesByKind() {
  const named = (kind: Thing["kind"]) =>
    things.filter((thing) => thing.kind === kind).map(({ name }) => name);
  return { tools: named("tool"), events: named("event"), tables: named("table"), views: named("view") };
}

export function printNames(): void {
  for (const [kind, names] of Object.entries(namesByKind())) {
    print(pc.bold(kind));
    for (const name of names) print(`  ${name}`);
  }
}

/** Prints what a thing means, its fields, how it is used, and an example. */
export function printThing(thing: Thing): void {
  print(`${pc.bold(thing.name)} ${pc.dim(thing.kind)}`);
  print(`${thing.definition.description}\n`);
  if (thing.kind === "tool") {
    printFields("argument", fieldsOf(thing.definition.input, "input"), "required");
    print();
    printFields("answer", fieldsOf(thing.definition.output, "output"), "always");
  } else if (thing.kind === "event") {
    printFields("field", fieldsOf(thing.definition.payload, "input"), "required");
  } else {
    printTable(
      ["column", "type", "meaning"],
      Object.entries(thing.definition.columns).map(([name, column]) => [
        name,
        columnType(column),
        column.meaning ?? "",
      ]),
    );
  }
  print();
  printFacts(descriptionOf(thing));
}

/** @param required what a field is that cannot be absent */
function printFields(head: string, fields: readonly Field[], required: string): void {
  printTable(
    [head, "type", "", "meaning"],
    fields.map((field) => [field.name, field.type, field.required ? required : "", meaningOf(field)]),
  );
}

function meaningOf({ meaning, limits }: Field): string {
  return [meaning, limits && `(${limits})`].filter((part) => part !== "").join(" ");
}

/** What is left to say: what is neither a schema nor said above. */
function printFacts(description: ReturnType<typeof descriptionOf>): void {
  for (const [name, fact] of Object.entries(description)) {
    const text = textOf(fact);
    if (ABOVE.has(name) || text === "") continue;
    print(
      `${pc.dim(name.replace("_", " ").padEnd(INDENT))}${text.replaceAll("\n", `\n${" ".repeat(INDENT)}`)}`,
    );
  }
}

const INDENT = 16;

function textOf(fact: unknown): string {
  if (Array.isArray(fact)) return fact.join(", ");
  return typeof fact === "object" ? JSON.stringify(fact) : String(fact);
}

const ABOVE: ReadonlySet<string> = new Set([
  "kind",
  "name",
  "description",
  "input",
  "output",
  "payload",
  "row",
]);
