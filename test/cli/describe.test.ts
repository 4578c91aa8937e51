import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { descriptionOf, exampleQuery } from "../../src/cli/describe/schemas.ts";
import { findThing, things } from "../../src/cli/describe/things.ts";
import { eventDefinitions } from "../../src/events/types/index.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { contract } from "../../src/read-model/contract.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

test("describe lists every tool, event, table and view by kind, even without a project", async () => {
  const named = (kind: string) => contract.filter((table) => table.kind === kind).map(({ name }) => name);
  expect(await signalboxJson(["describe"], { cwd: freshFolder() })).toEqual({
    tools: tools.map(({ name }) => name),
    events: eventDefinitions.map(({ type }) => type),
    tables: named("table"),
    views: named("view"),
  });
});

test("no name is that of two things", () => {
  const names = things.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(things.map(({ kind, name }) => [kind, name]))(
  "describe %s %s prints its meaning, a schema and an example",
  (kind, name) => {
    const thing = findThing(name);
    if ("problem" in thing) throw new Error(thing.problem);
    const said = descriptionOf(thing);
    expect(said).toMatchObject({ kind, name, description: thing.definition.description });
    expect(said.example).toBeTruthy();
    const schema = "input" in said ? said.input : "payload" in said ? said.payload : said.row;
    expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) });
  },
);

test("the schemas of --json accept the example", async () => {
  const cwd = freshFolder();
  const tool = described.parse(await signalboxJson(["describe", "ask"], { cwd }));
  expect(z.fromJSONSchema(tool.input ?? {}).safeParse(tool.example).success).toBe(true);
  expect(z.fromJSONSchema(tool.input ?? {}).safeParse({ question: "Why?" }).success).toBe(false);
  const event = described.parse(await signalboxJson(["describe", "signal.ask"], { cwd }));
  expect(z.fromJSONSchema(event.payload ?? {}).safeParse(event.example).success).toBe(true);
});

const described = z.looseObject({
  example: z.unknown(),
  input: z.record(z.string(), z.json()).optional(),
  payload: z.record(z.string(), z.json()).optional(),
});

test("the example of every table and view is a query that gives its columns", () => {
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  for (const table of contract) {
    const query = readModel.database.prepare(exampleQuery(table));
    expect(query.columns().map(({ name }) => name)).toEqual(Object.keys(table.columns));
  }
});

test("a tool and its event have different names; a part of one event's name is enough", () => {
  expect(findThing("done")).toMatchObject({ kind: "tool" });
  expect(findThing("signal.done")).toMatchObject({ kind: "event" });
  expect(findThing("signals")).toMatchObject({ kind: "table" });
  expect(findThing("state_reported")).toMatchObject({ kind: "event", name: "session.state_reported" });
});

test.each([
  ["session", "'session' may be session.started, session.state_reported, session.work"],
  ["questoins", "there is no tool, event or table 'questoins'. Did you mean questions?"],
  ["nope", "there is no tool, event or table 'nope'. Run `signalbox describe` to see all"],
  ["zebra", "there is no tool, event or table 'zebra'. Run `signalbox describe` to see all"],
])("describe %s is refused, since %s", async (name, message) => {
  const ran = await signalbox(["describe", name]);
  expect(ran).toMatchObject({ ...fails(2, message), stdout: "" });
});

test.each([
  [
    "ask",
    ["ask tool", /question +text +required/, /recipes +signals, task_execution, all/, /command +signal ask/],
  ],
  [
    "signal.ask",
    ["signal.ask event", /session +text +required/, /stream +session-s-1/, /timeline +❓ \*\*Ask/],
  ],
  [
    "tasks",
    ["tasks table", /origin +human · agent +agent if it was created from an agent's suggestion/, /key +id/],
  ],
  ["ready_tasks", ["ready_tasks view", /example +SELECT \* FROM ready_tasks LIMIT 10/]],
])("describe %s prints it for people", async (name, parts) => {
  const { stdout } = await signalbox(["describe", name]);
  for (const part of parts) expect(stdout).toMatch(part);
});
