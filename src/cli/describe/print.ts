import { pc, print, printTable } from "../../lib/terminal/output.ts";
import { columnType } from "../../read-model/contract.ts";
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
    printFields("argument", fieldsOf(thing.definition.input, "input"));
    print();
    printAnswer(fieldsOf(thing.definition.output, "output"));
  } else if (thing.kind === "event") {
    printFields("field", fieldsOf(thing.definition.payload, "input"));
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

function printFields(head: string, fields: readonly Field[]): void {
  printTable(
    [head, "type", "", "meaning"],
    fields.map((field) => [field.name, field.type, field.required ? "required" : "", meaningOf(field)]),
  );
}

/** Nobody has to keep to the limits of an answer, so they are left out. */
function printAnswer(fields: readonly Field[]): void {
  printTable(
    ["answer", "type", "", "meaning"],
    fields.map(({ name, type, required, meaning }) => [name, type, required ? "" : "may be absent", meaning]),
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
