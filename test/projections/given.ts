import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { defineProjection, type Projection } from "../../src/projections/projection.ts";
import { defineTable, integer, text } from "../../src/projections/table.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON, temporaryFolder } from "../events/given.ts";
import { aside, created, ended, event, flag, partial, started } from "./board/history.ts";

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

/** A project whose log has these events, and a read model that has reduced them. */
export async function givenReduced(events: readonly Draft[], projections?: readonly Projection[]) {
  const project = givenProject();
  const log = project.openLog();
  await log.append(events);
  const readModel = project.openReadModel(projections);
  await catchUp(readModel, log);
  return { ...project, log, readModel };
}

/** A read model has the rows of one that reduces the whole of a log anew. */
export async function expectAsFresh(
  readModel: ReadModel,
  log: EventLog,
  projections?: readonly Projection[],
) {
  const fresh = givenFreshReadModel(projections);
  await catchUp(fresh, log);
  expect(readModel.contentHash()).toBe(fresh.contentHash());
}

/** A read model in memory. */
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
  const said = (draft: Draft) => ({ ...draft, correlation: "s-1" });
  const task = { task: 7 };
  return [
    event("feature.created", { feature: "reports", display_name: "Reports", description: "" }),
    event("discipline.created", { discipline: "backend", display_name: "Backend", description: "" }),
    created(7, { title: "Export", priority: "high" }),
    created(8, { title: "Import", priority: "high" }),
    event("comment.added", { ...task, author: "Ada", body: "Semicolons." }),
    started("s-1", 7),
    said(learned("Rows are written in chunks of 100.")),
    said(flag({ ...task, severity: "warning", category: "performance" })),
    said(aside(task)),
    said(partial("The rest.", task)),
    ended(),
  ];
}

/** The row of the table `projections` as a reader sees it. */
export function shownState(readModel: ReadModel, name: string) {
  const sql = "SELECT position, lag, state, error FROM projections WHERE name = ?";
  type Shown = { position: number; lag: number; state: string; error: string | null };
  return readModel.database.prepare<[string], Shown>(sql).get(name);
}
