import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { defineProjection, type Projection } from "../../src/projections/projection.ts";
import { defineTable, integer, text } from "../../src/projections/table.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { environmentAt, NOON, temporaryFolder } from "../events/given.ts";

/** A project's folder with an empty log, removed when the present test is finished. */
export interface Project {
  readonly logPath: string;
  readonly readModelPath: string;
  openLog(): EventLog;
  openReadModel(projections?: readonly Projection[]): ReadModel;
}

export function givenProject(): Project {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const logPath = join(folder.path, "events.db");
  const readModelPath = join(folder.path, "ralph.db");
  createLogFile(logPath);
  let handles = 0;
  return {
    logPath,
    readModelPath,
    openLog() {
      const log = openSqliteLog(logPath, environmentAt({ now: NOON }, `${folder.path} ${handles++}`));
      onTestFinished(() => log.close());
      return log;
    },
    openReadModel(projections) {
      const readModel = new ReadModel(readModelPath, projections);
      onTestFinished(() => readModel.close());
      return readModel;
    },
  };
}

/** A read model that was made in memory from the whole of a log. */
export function givenFreshReadModel(projections?: readonly Projection[]): ReadModel {
  const readModel = new ReadModel(":memory:", projections);
  onTestFinished(() => readModel.close());
  return readModel;
}

const tallyTable = defineTable("tally", {
  columns: { task_id: integer, comments: integer },
  key: ["task_id"],
});

/** Counts the comments of each task, `step` for each: two steps are two versions of the same projection. */
export function tallyOf(version: number, step = 1): Projection {
  return defineProjection({
    name: "tally",
    version,
    tables: { tally: tallyTable },
    on: {
      "comment.added": ({ payload: { task } }, { tally }) => {
        const row = tally.get(task);
        if (row) tally.update(task, { comments: row.comments + step });
        else tally.insert({ task_id: task, comments: step });
      },
    },
  });
}

const echoTable = defineTable("echo", { columns: { id: integer, body: text }, key: ["id"] });

/** Keeps every comment; throws at one that says "boom", after it has written. */
export function echoOf(version: number, fragile: boolean): Projection {
  return defineProjection({
    name: "echo",
    version,
    tables: { echo: echoTable },
    on: {
      "comment.added": ({ position, payload: { body } }, { echo }) => {
        echo.insert({ id: position, body });
        echo.update(1, { body: `first, then ${position}` });
        if (fragile && body === "boom") throw new Error("this reducer is afraid of boom");
      },
    },
  });
}

export const tally = tallyOf(1);
export const echo = echoOf(1, false);
export const fragileEcho = echoOf(1, true);

export function learned(said: string, extra: Partial<Draft<"signal.learned">["payload"]> = {}) {
  const payload = { text: said, kind: "discovery" as const, task: 7, session: "s-1", ...extra };
  return { type: "signal.learned", payload, actor: "agent" } as const satisfies Draft<"signal.learned">;
}

/** A history that touches every projection. */
export function history(): Draft[] {
  const agent = { actor: "agent", correlation: "s-1" };
  const origin = { task: 7, session: "s-1" };
  const task: Omit<Draft<"task.created">["payload"], "task" | "title"> = {
    description: "",
    feature: "reports",
    discipline: "backend",
    priority: "high",
    status: "pending",
    depends_on: [],
    accept: "auto",
    gates: [],
  };
  return [
    {
      type: "feature.created",
      payload: { feature: "reports", display_name: "Reports", description: "" },
      actor: "human",
    },
    {
      type: "discipline.created",
      payload: { discipline: "backend", display_name: "Backend", description: "" },
      actor: "human",
    },
    { type: "task.created", payload: { ...task, task: 7, title: "Export" }, actor: "human" },
    { type: "task.created", payload: { ...task, task: 8, title: "Import" }, actor: "human" },
    { type: "comment.added", payload: { task: 7, author: "Ada", body: "Semicolons." }, actor: "human" },
    { type: "session.started", payload: { ...origin, forced: false }, actor: "driver" },
    { ...learned("Rows are written in chunks of 100."), ...agent },
    {
      type: "signal.flag",
      payload: { ...origin, what: "Slow", severity: "warning", category: "performance" },
      ...agent,
    },
    { type: "signal.ask", payload: { ...origin, question: "Which encoding?", blocking: false }, ...agent },
    { type: "signal.partial", payload: { ...origin, summary: "Half.", remaining: "The rest." }, ...agent },
    { type: "session.ended", payload: { session: "s-1", exit: "exited" }, actor: "driver" },
  ];
}

/** The row of the table `projections` as a reader sees it. */
export function shownState(readModel: ReadModel, name: string) {
  const sql = "SELECT position, lag, state, error FROM projections WHERE name = ?";
  type Shown = { position: number; lag: number; state: string; error: string | null };
  return readModel.database.prepare<[string], Shown>(sql).get(name);
}
