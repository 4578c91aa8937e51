import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { signals } from "../../src/events/types/signals.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { importSource } from "../../src/outside/exchange/import-source.ts";
import { everythingIn } from "../events/given.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { fixture } from "./given.ts";

/* Catches: a shape of Ralph's database that a seed prints and the import refuses, or takes for less than it says. */

/** What sessions said, an example of each verb. */
const said = signals.map(({ verb, example: { task: _, session: __, ...args } }) => ({ verb, args }));

type Fill = (database: Database.Database) => void;

/** A table of tasks, which no seed prints, and the tables of a seed's text with rows in them. */
function givenRalph(...steps: readonly (string | Fill)[]): string {
  const path = join(freshFolder(), "ralph.db");
  const database = new Database(path);
  // The seeds print no table that these tables refer to.
  database.pragma("foreign_keys = OFF");
  database.exec("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, status TEXT)");
  database.exec("INSERT INTO tasks VALUES (1, 'Export', 'pending')");
  for (const step of steps) {
    if (typeof step === "string") database.exec(readFileSync(fixture(`${step}.sql`), "utf8"));
    else step(database);
  }
  database.close();
  return path;
}

const at = (index: number) => `2026-02-11 10:00:${String(index).padStart(2, "0")}`;

function insert(database: Database.Database, table: string, row: Record<string, unknown>): void {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  database
    .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`)
    .run(...Object.values(row));
}

/** A column for each argument; a learning's text, which has none, stands where a flag's does. */
const inColumns: Fill = (database) => {
  database.exec("CREATE TABLE features (id INTEGER PRIMARY KEY, name TEXT NOT NULL, display_name TEXT)");
  for (const { args } of said) {
    if ("feature" in args) insert(database, "features", { id: 1, name: args.feature, display_name: "F" });
  }
  for (const [index, { verb, args }] of said.entries()) {
    const { text, options, blocking, feature, ...columns }: Record<string, unknown> = args;
    insert(database, "task_signals", {
      ...columns,
      ...(text !== undefined && { what: text }),
      ...(feature !== undefined && { feature_id: 1 }),
      ...(Array.isArray(options) && { options: options.join("\n") }),
      ...(blocking !== undefined && { blocking: Number(blocking) }),
      ...{ task_id: 1, session_id: "sess-001", verb, created: at(index) },
    });
  }
};

const inPayloads: Fill = (database) => {
  for (const [index, { verb, args }] of said.entries()) {
    const payload = JSON.stringify(args);
    insert(database, "task_signals", {
      ...{ task_id: 1, session_id: "sess-001", verb, payload, created_at: at(index) },
    });
  }
};

const asComments: Fill = (database) => {
  for (const [index, { verb, args }] of said.entries()) {
    const signal_payload = JSON.stringify(args);
    insert(database, "task_comments", {
      ...{ task_id: 1, session_id: "sess-001", author: "frontend", signal_verb: verb, signal_payload },
      ...{ body: verb, created: at(index) },
    });
  }
};

const olderComments: Fill = (database) => {
  const comment = (index: number, body: string, more: object) =>
    insert(database, "task_comments", { task_id: 1, body, created: `2026-02-10 10:00:0${index}`, ...more });
  comment(0, "Also test unicode URLs.", { priority: "high" });
  comment(1, "The button is too small.", { discipline: "frontend" });
  comment(2, "Follow these lines.", { discipline: "frontend", agent_task_id: 4, priority: "low" });
  comment(3, "Ask the lawyers.", { discipline: "legal", priority: "soon" });
};

async function imported(path: string) {
  const { project } = await freshProject();
  await project.decide(createDiscipline({ name: "frontend" }));
  const reports = [];
  const options = { format: "ralph", actor: "human", statuses: new Map() } as const;
  for await (const report of importSource(project.store, path, options)) reports.push(report);
  return { project, reports };
}

const shapes: Readonly<Record<string, () => string>> = {
  "seed 000's columns": () => givenRalph("seed-000-task-signals", inColumns),
  "the payloads that seed 002 migrates": () => givenRalph("seed-002-before", inPayloads),
  "seed 002's comments": () => givenRalph("seed-002-task-comments", asComments),
  "what seed 002's migration leaves": () => givenRalph("seed-002-before", inPayloads, "seed-002-migration"),
};

test.each(Object.entries(shapes))("every verb is imported from %s with its text", async (_shape, make) => {
  const { project, reports } = await imported(make());
  expect(reports.filter(({ outcome }) => outcome === "refused" || outcome === "skipped")).toEqual([]);
  const events = await everythingIn(project.log);
  const told = events.flatMap(({ type, payload, actor }) =>
    type.startsWith("signal.") ? [{ type, payload, actor }] : [],
  );
  expect(told).toEqual(
    said.map(({ verb, args }) => ({
      type: `signal.${verb}`,
      actor: "agent",
      payload: { ...args, task: 1, session: "sess-001" },
    })),
  );
  const times = reports.filter(({ what }) => said.some(({ verb }) => verb === what)).map(({ time }) => time);
  expect(times).toEqual(said.map((_, index) => at(index)));
});

test("a comment keeps its discipline and priority, and lost fields are reported", async () => {
  const { project, reports } = await imported(
    givenRalph("seed-002-before", olderComments, "seed-002-migration"),
  );
  expect(await project.queries.comments(1)).toMatchObject([
    { body: "Also test unicode URLs.", author: "human", discipline: null, priority: "high" },
    { body: "The button is too small.", discipline: "frontend", priority: null },
    { body: "Follow these lines.", discipline: "frontend", priority: "low" },
    { body: "Ask the lawyers.", discipline: null, priority: "medium" },
  ]);
  const comments = reports.filter(({ what }) => what === "comment");
  expect(comments.map(({ outcome, notes }) => [outcome, notes])).toEqual([
    ["taken", []],
    ["taken", []],
    ["changed", ["left out: its agent_task_id 4"]],
    [
      "changed",
      [
        'its priority "soon" is unknown: medium',
        'left out: its discipline "legal", which does not exist here',
      ],
    ],
  ]);
});

test("a comment named after an agent's task is an agent's, whatever its signature", async () => {
  const { project } = await imported(givenRalph("seed-002-before", olderComments, "seed-002-migration"));
  const written = (await everythingIn(project.log)).filter(({ type }) => type === "comment.added");
  expect(written.map(({ actor }) => actor)).toEqual(["human", "human", "agent", "human"]);
});
