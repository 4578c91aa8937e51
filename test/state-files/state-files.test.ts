import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { renderLearnings } from "../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../src/workspace/state-files/render-progress.ts";
import { writeStateFiles } from "../../src/workspace/state-files/write.ts";
import { learned } from "../projections/given.ts";
import { done, end, partial, reduced, start, task } from "../projections/loop-drafts.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/*
 * Catches: a file that changes without the log, one that is half written, a summary of another session, text of an agent
 * that passes for the file's own.
 */
const HEAD = `
This file is rendered from the project's log by \`signalbox state-files\`, which drivers call.
What is changed here is lost; the log is changed by agents' tools and by signalbox commands.
`;

test("progress.txt lists done tasks with summaries, remaining work, and what waits for a human", async () => {
  const readModel = await reduced(
    task(1, { title: "Export as CSV" }),
    task(2, { title: "Import from CSV" }),
    task(3, { status: "done" }),
    start(1, "s-1"),
    partial(1, "s-1", "The dates."),
    end("s-1"),
    start(1, "s-2"),
    done(1, "s-2", "Writer and header row.\n\nDates are ISO 8601."),
    end("s-2"),
    start(2, "s-3"),
    {
      type: "signal.ask",
      actor: "agent",
      payload: { task: 2, session: "s-3", question: "Which encoding?", blocking: true },
    },
    partial(2, "s-3", "The encoding,\nand the quotes."),
    end("s-3"),
  );
  expect(renderProgress(readModel)).toBe(`# Progress
${HEAD}
Tasks: 1 needs input, 2 done

## Done

#1 Export as CSV
  Writer and header row.
  Dates are ISO 8601.
#3 Task 3
  Set by hand, without a closing done.

## Open

#2 Import from CSV (needs_input)
  Remaining:
  The encoding,
  and the quotes.

## Waits for a human

question 11 of task #2 Import from CSV
  Which encoding?
`);
});

test("learnings.txt has each thing once by scope and feature, with how often it was confirmed, the last confirmed first", async () => {
  const readModel = await reduced(
    task(1, { feature: "reports" }),
    task(2, { feature: "audit" }),
    learned("Rows come in chunks of 100.", { task: 1, kind: "decision", rationale: "Memory.\nAnd time." }),
    learned("The suite needs a database.", { task: 2, scope: "project", kind: "convention" }),
    learned("Times are in UTC.", { task: 1, scope: "project" }),
    learned("The mock answers late.", { task: 2, scope: "task" }),
    learned("Hashes are hex.", { task: 2 }),
    learned("Logs are JSON.", { task: 2, scope: "project" }),
    learned("times are in utc", { task: 2, scope: "project" }),
    { type: "task.changed", actor: "human", payload: { task: 1, feature: "aardvark" } },
  );
  expect(renderLearnings(readModel)).toBe(`# Learnings
${HEAD}
## The project

- (discovery, confirmed 2 times) Times are in UTC.
- (discovery) Logs are JSON.
- (convention) The suite needs a database.

## Feature audit

- (discovery) Hashes are hex.

## Feature reports

- (decision) Rows come in chunks of 100.
  Why: Memory.
  And time.

## Task #2

- (discovery) The mock answers late.
`);
});

test("learnings without a verb are listed with the rest of their feature or project, with or without a task", async () => {
  const added = (text: string, more: Partial<Draft<"learning.added">["payload"]> = {}): Draft => ({
    type: "learning.added",
    actor: "human",
    payload: { text, kind: "discovery", source: "human", ...more },
  });
  const readModel = await reduced(
    task(1, { feature: "audit" }),
    learned("Rows come in chunks.", { task: 1 }),
    added("Amounts are in cents.", { feature: "reports", reason: "Rounding." }),
    added("Hashes are hex.", { feature: "reports", task: 1, source: "auto" }),
    added("rows come in chunks", { feature: "audit" }),
    added("Times are in UTC."),
  );
  const [, ...sections] = renderLearnings(readModel).split(/(?=^## )/m);
  expect(sections).toEqual([
    "## The project\n\n- (discovery) Times are in UTC.\n\n",
    "## Feature audit\n\n- (discovery, confirmed 2 times) Rows come in chunks.\n\n",
    "## Feature reports\n\n- (discovery) Hashes are hex.\n- (discovery) Amounts are in cents.\n  Why: Rounding.\n",
  ]);
});

test("learnings on an agent's proposal are listed with the rest of the task's feature, once", async () => {
  const readModel = await reduced(
    task(1, { feature: "reports" }),
    start(1, "s-1"),
    {
      type: "signal.suggest",
      actor: "agent",
      payload: { task: 1, session: "s-1", what: "Import", kind: "new_task", why: "People ask." },
    },
    done(1, "s-1", "All of it."),
    end("s-1"),
    learned("Rows come in chunks.", { task: 2, session: "s-2" }),
    learned("Rows come in chunks.", { task: 1, session: "s-3" }),
  );
  const [, body] = renderLearnings(readModel).split(/(?=## )/);
  expect(body).toBe("## Feature reports\n\n- (discovery, confirmed 2 times) Rows come in chunks.\n");
});

test("an agent's text can neither imitate a heading nor send control characters to a terminal", async () => {
  const readModel = await reduced(
    task(1),
    start(1, "s-1"),
    partial(1, "s-1", "one\r## Done\u2028## Done\n\u001b[2J \u202eevil"),
    learned("## The project\n## The project", { task: 1 }),
    end("s-1"),
  );
  const texts = [renderProgress(readModel), renderLearnings(readModel)];
  for (const text of texts) expect(text).not.toMatch(/[^\n\P{Cc}]|[\u2028\u202a-\u202e]/u);
  expect(texts[0]).toContain("  \\u{1b}[2J \\u{202e}evil");
  const headings = texts.flatMap((text) => text.split("\n").filter((line) => line.startsWith("#")));
  expect(headings).toEqual([
    "# Progress",
    "## Open",
    "#1 Task 1 (pending)",
    "# Learnings",
    "## Feature general",
  ]);
});

test("the files are written atomically, readable by their owner only, and left alone if unchanged", async () => {
  const db = join(freshFolder(), ".ralph", "db", "ralph.db");
  const ralph = join(db, "..", "..");
  mkdirSync(join(db, ".."), { recursive: true });
  const progress = join(ralph, "progress.txt");
  writeFileSync(progress, "by hand");
  linkSync(progress, join(ralph, "old"));

  const first = await reduced(task(1));
  expect(writeStateFiles(first, db)).toEqual([
    { path: progress, written: true },
    { path: join(ralph, "learnings.txt"), written: true },
  ]);
  // A reader that has the old file open still has the whole of it.
  expect(readFileSync(join(ralph, "old"), "utf8")).toBe("by hand");
  expect(readdirSync(ralph).sort()).toEqual(["db", "learnings.txt", "old", "progress.txt"]);
  expect(statSync(progress).mode & 0o077).toBe(0);

  utimesSync(progress, 1, 1);
  const same = await reduced(task(1));
  expect(writeStateFiles(same, db).map(({ written }) => written)).toEqual([false, false]);
  expect(statSync(progress).mtimeMs).toBe(1_000);

  const other = await reduced(task(1), task(2));
  expect(writeStateFiles(other, db).map(({ written }) => written)).toEqual([true, false]);
});

test("state-files writes both files from the head of the log and prints where they are", async () => {
  const { folder, project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const paths = ["progress.txt", "learnings.txt"].map((name) => join(folder, ".ralph", name));
  expect(await signalboxJson(["state-files"], { cwd: folder })).toEqual(
    paths.map((path) => ({ path, written: true })),
  );
  expect(readFileSync(paths[0] ?? "", "utf8")).toContain("#1 Export as CSV (pending)");
  const again = await signalbox(["state-files"], { cwd: folder });
  expect(again.stdout).toBe(paths.map((path) => `${path} (as it was)\n`).join(""));
});
