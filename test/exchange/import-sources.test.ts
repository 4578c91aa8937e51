import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openForeign } from "../../adapters/imports/ralph/database.ts";
import type { Store } from "../../src/decisions/store.ts";
import type { TaskStatus } from "../../src/events/types/fields.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import type { Format } from "../../src/outside/exchange/formats.ts";
import { copyInMemory, importSource } from "../../src/outside/exchange/import-source.ts";
import type { RowReport } from "../../src/outside/exchange/rows/row.ts";
import { everythingIn } from "../events/given.ts";
import { openElsewhere } from "../events/log-file.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { fixture, givenDatabase } from "./given.ts";

/*
 * Catches: a row that is lost without a word, taken twice, or taken for what it is not; words that are taken for commands;
 * a file that brings the import down.
 */
async function imported(
  store: Store,
  format: Format,
  path: string,
  statuses: ReadonlyMap<string, TaskStatus> = new Map(),
): Promise<RowReport[]> {
  const reports: RowReport[] = [];
  for await (const report of importSource(store, path, { format, actor: "import", statuses }))
    reports.push(report);
  return reports;
}

const outcomes = (reports: readonly RowReport[]) => reports.map(({ at, outcome }) => `${at}: ${outcome}`);
const whyOf = (reports: readonly RowReport[], at: string) =>
  reports.find((report) => report.at === at)?.notes.join("; ") ?? "";

const sources: [Format, () => string][] = [
  ["prd", () => fixture("prd.json")],
  ["beads", () => fixture("beads.jsonl")],
  ["backlog", () => fixture("backlog")],
  ["ralph", () => givenDatabase("ralph-signals")],
  ["ralph", () => givenDatabase("ralph-comments")],
  ["ralph", () => givenDatabase("brain-dump")],
];

test.each(sources)(
  "an import from %s that is run twice records each row once (%#)",
  async (format, source) => {
    const { project } = await freshProject();
    const path = source();
    const trial = await copyInMemory(project.store);
    const said = await imported(trial, format, path);
    expect(await project.log.head()).toBe(2);
    const first = await imported(project.store, format, path);
    expect(first).toEqual(said);
    const events = await everythingIn(project.log);
    expect(events.length).toBeGreaterThan(3);
    const again = await imported(project.store, format, path);
    expect(again.filter(({ outcome }) => outcome === "taken" || outcome === "changed")).toEqual([]);
    expect(await everythingIn(project.log)).toEqual(events);
  },
);

test("stories of a prd.json become tasks by priority, and passing ones are done", async () => {
  const { project } = await freshProject();
  const reports = await imported(project.store, "prd", fixture("prd.json"));
  expect(await project.queries.tasks()).toMatchObject([
    { id: 1, title: "Export as CSV", status: "done", criteria: ["Semicolons"], hints: "Orders come sorted." },
    { id: 2, title: "Mail the export", status: "pending", depends_on: [1], ready: true },
  ]);
  expect(whyOf(reports, "story 3")).toContain("circle");
  expect(whyOf(reports, "story 4")).toContain("already used by story 2");
  expect(whyOf(reports, "file")).toContain("verificationCommands");
});

test("issues of beads become tasks with blockers and comments", async () => {
  const { project } = await freshProject();
  const reports = await imported(project.store, "beads", fixture("beads.jsonl"));
  expect(await project.queries.tasks()).toMatchObject([
    {
      title: "Export as CSV",
      status: "done",
      priority: "critical",
      criteria: ["Header row", "UTF-8"],
      tags: ["feature"],
    },
    { title: "Mail the export", status: "pending", priority: "low", depends_on: [1], tags: ["mail"] },
  ]);
  expect(await project.queries.comments(2)).toMatchObject([{ author: "ada", body: "To the accountant." }]);
  expect(outcomes(reports)).toEqual(
    expect.arrayContaining(["line 3: skipped", "line 4: refused", "line 5: refused", "line 6: skipped"]),
  );
});

test("tasks of Backlog.md keep their numbers, and custom statuses can be mapped", async () => {
  const { project } = await freshProject();
  const reports = await imported(
    project.store,
    "backlog",
    fixture("backlog"),
    new Map([["Review", "needs_input"]]),
  );
  expect(await project.queries.tasks()).toMatchObject([
    { id: 1, title: "Export as CSV", status: "done" },
    {
      id: 2,
      title: "Mail the export",
      priority: "high",
      depends_on: [1],
      description: "Every Monday.\n\n## Implementation Plan\n\n1. A cron job",
      criteria: ["Arrives on Monday", "Says who sent it"],
      context_files: ["src/mail.ts"],
      hints: "Ask for the address.\n\nReferences: https://example.org/smtp",
    },
    { id: 3, title: "Look it over", status: "needs_input" },
    { title: "An idea", status: "draft" },
  ]);
  expect(whyOf(reports, "tasks/task-4 - Broken.md")).toContain("not YAML");
});

test("signals of a Ralph database are sessions again, and settle as they would have here", async () => {
  const { project } = await freshProject();
  const reports = await imported(project.store, "ralph", givenDatabase("ralph-signals"));
  expect(await project.queries.tasks()).toMatchObject([
    { id: 3, title: "Log in", status: "done", feature: "auth", discipline: "backend", sessions: 1 },
    { id: 5, status: "needs_input", depends_on: [3], stuck_count: 1, sessions: 2, tags: ["security"] },
    { id: 6, status: "pending", depends_on: [5], agent_words: 1 },
    { id: 7, status: "blocked", sessions: 1 },
    { id: 8, title: "Verify the chain", status: "skipped", origin: "agent" },
  ]);
  expect(await project.queries.inbox()).toMatchObject([{ text: "Which key?" }, { text: "Redis is missing" }]);
  expect(whyOf(reports, "task_signals 7")).toContain("severity");
  expect(whyOf(reports, "tasks 8")).toContain('"paused"');
  const signals = (await everythingIn(project.log)).filter(({ type }) => type.startsWith("signal."));
  expect(new Set(signals.map(({ actor }) => actor))).toEqual(new Set(["agent"]));
});

test("comments and signals of one timeline come in their order, each by who wrote it", async () => {
  const { project } = await freshProject();
  await imported(project.store, "ralph", givenDatabase("ralph-comments"));
  const told = (await everythingIn(project.log)).slice(4).map(({ type, actor }) => `${actor} ${type}`);
  expect(told).toEqual([
    "import comment.added",
    "import session.started",
    "agent signal.flag",
    "agent signal.ask",
    "import comment.added",
    "agent signal.done",
    "import session.ended",
    "import question.answered",
  ]);
});

test("sessions of Brain Dump keep their states with the times of then, and end as they did", async () => {
  const { project } = await freshProject();
  await imported(project.store, "ralph", givenDatabase("brain-dump"));
  expect(await project.queries.sessions()).toMatchObject(
    [
      { id: "s-1", outcome: "failure" },
      { id: "s-2", outcome: "success" },
      { id: "s-3", outcome: "cancelled" },
    ].map((session) => expect.objectContaining(session)),
  );
  const states = (await everythingIn(project.log)).flatMap((event) =>
    event.type === "session.state_reported" ? [event.payload] : [],
  );
  expect(states).toMatchObject([
    { state: "analyzing", metadata: { timestamp: "2026-01-15T10:00:05Z" } },
    { state: "testing", metadata: { timestamp: "2026-01-15T10:20:00Z", testResults: { passed: 3 } } },
  ]);
});

test("repeating an import does not undo later work here", async () => {
  const { project } = await freshProject();
  const path = givenDatabase("ralph-signals");
  await imported(project.store, "ralph", path);
  await project.decide(setTaskStatus({ task: 5, status: "skipped" }));
  await imported(project.store, "ralph", path);
  expect(await project.queries.task(5)).toMatchObject({ status: "skipped" });
});

test("a changed row is refused, and the recorded one stays", async () => {
  const { project } = await freshProject();
  const folder = freshFolder();
  const path = join(folder, "prd.json");
  const write = (title: string) => writeFileSync(path, JSON.stringify({ userStories: [{ id: "1", title }] }));
  write("One");
  await imported(project.store, "prd", path);
  write("Two");
  const reports = await imported(project.store, "prd", path);
  expect(reports).toMatchObject([
    { outcome: "refused", notes: [expect.stringContaining("imported before")] },
  ]);
  expect(await project.queries.tasks()).toMatchObject([{ title: "One" }]);
});

test("every story of a prd.json is reported once, and imported ones are in the log", async () => {
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constant("x".repeat(200_000)),
    fc.constant("\u0000\ud800"),
  );
  const story = fc.record(
    {
      id: fc.constantFrom("1", "2", "3", 4),
      title: fc.oneof(text, fc.constant(7)),
      description: text,
      acceptanceCriteria: fc.oneof(fc.array(text, { maxLength: 3 }), text),
      priority: fc.oneof(fc.integer(), text),
      passes: fc.oneof(fc.boolean(), text),
      dependsOn: fc.array(fc.constantFrom("1", "2", "3", "9"), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  const { project } = await freshProject();
  const path = join(freshFolder(), "prd.json");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(story, fc.jsonValue()), { maxLength: 6 }),
      fc.uuid(),
      async (stories, name) => {
        writeFileSync(path, JSON.stringify({ project: name, userStories: stories }));
        const before = await project.log.head();
        const reports = await imported(project.store, "prd", path);
        expect(reports.map(({ at }) => at).sort()).toEqual(
          stories.map((_, index) => `story ${index + 1}`).sort(),
        );
        const taken = reports.filter(({ outcome }) => outcome === "taken" || outcome === "changed");
        expect(await project.log.head()).toBe(before + taken.length);
      },
    ),
    { numRuns: 40 },
  );
});

test.each<[string, Format, (folder: string) => string, string]>([
  ["is not there", "prd", (folder) => join(folder, "none.json"), "not_found"],
  [
    "is a symbolic link",
    "prd",
    (folder) => link(fixture("prd.json"), join(folder, "prd.json")),
    "refused_file",
  ],
  ["is a folder", "beads", (folder) => folder, "refused_file"],
  ["is no database", "ralph", () => fixture("prd.json"), "malformed"],
  ["is a database of something else", "ralph", () => givenEmptyDatabase(), "malformed"],
  ["is not a prd.json", "prd", () => fixture("beads.jsonl"), "malformed"],
  ["is no folder of Backlog.md", "backlog", (folder) => folder, "not_found"],
])(
  "a source that %s is refused as a whole, and nothing is recorded (%s)",
  async (_what, format, make, code) => {
    const { project } = await freshProject();
    await expect(imported(project.store, format, make(freshFolder()))).rejects.toMatchObject({ code });
    expect(await project.log.head()).toBe(2);
  },
);

test("a task's file that is a symbolic link is not followed", async () => {
  const { project } = await freshProject();
  const folder = freshFolder();
  cpSync(fixture("backlog"), folder, { recursive: true });
  link("/etc/passwd", join(folder, "backlog/tasks/task-9 - Secrets.md"));
  const reports = await imported(project.store, "backlog", folder);
  expect(whyOf(reports, "tasks/task-9 - Secrets.md")).toContain("symbolic link");
});

function link(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

function givenEmptyDatabase(): string {
  const path = givenDatabase("brain-dump");
  const empty = join(freshFolder(), "empty.db");
  cpSync(path, empty);
  const database = new Database(empty);
  for (const table of ["epics", "tickets", "ticket_comments", "ralph_sessions"])
    database.exec(`DROP TABLE ${table}`);
  database.close();
  return empty;
}

test("rows are distinguished by ids larger than a safe integer", () => {
  const path = givenDatabase("ralph-signals");
  const elsewhere = openElsewhere(path);
  elsewhere.exec("CREATE TABLE large (id INTEGER PRIMARY KEY)");
  elsewhere.exec("INSERT INTO large VALUES (9007199254740991), (9007199254740992), (9007199254740993)");
  const database = openForeign(path);
  const ids = database.rows("large").map(({ id }) => id);
  database.close();
  expect(ids).toEqual([9007199254740991, "9007199254740992", "9007199254740993"]);
});
