import { expect, test } from "vitest";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { createDiscipline, deleteDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature, deleteFeature } from "../../src/operations/features.ts";
import { endSession } from "../../src/operations/sessions.ts";
import { changeTask } from "../../src/operations/tasks.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { DRAFT, type Given, givenProject, type Said } from "../decisions/given.ts";
import { givenFreshReadModel } from "./given.ts";

/* Catches: a timeline that names the discipline and feature that a task has now, not those it had when the signal came. */

interface Context {
  readonly id: number;
  readonly discipline_id: number | null;
  readonly feature_id: number | null;
  readonly author: string;
}

const contexts = ({ database }: ReadModel) =>
  database
    .prepare<[], Context>(
      `SELECT s.id, s.discipline_id, s.feature_id, c.author
       FROM task_signals s JOIN task_comments c ON c.id = s.id AND c.signal_verb IS NOT NULL ORDER BY s.id`,
    )
    .all();

const says = (task: number, session: string): Said => ({
  task,
  session,
  verb: "partial",
  args: { summary: "Half of it.", remaining: "The other half." },
});

/** Task 1 moves to another feature and discipline, the draft of the suggestion to a third. */
async function givenMoves(): Promise<Given> {
  const given = await givenProject();
  await given.does(
    createFeature({ name: "reports" }),
    createDiscipline({ name: "backend" }),
    changeTask({ task: 1, feature: "reports", discipline: "backend" }),
    says(1, "s-2"),
    endSession({ session: "s-2", exit: "exited" }),
    says(DRAFT, "s-3"),
    endSession({ session: "s-3", exit: "exited" }),
  );
  return given;
}

test("a signal keeps the discipline and the feature that its task had when it came", async () => {
  const { store } = await givenMoves();
  const said = contexts(store.readModel);
  const idOf = (table: string, name: string) =>
    store.readModel.database.prepare(`SELECT id FROM ${table} WHERE name = ?`).pluck().get(name);
  const general = {
    discipline_id: idOf("disciplines", "general"),
    feature_id: idOf("features", "general"),
    author: "general",
  };
  const moved = {
    discipline_id: idOf("disciplines", "backend"),
    feature_id: idOf("features", "reports"),
    author: "backend",
  };
  expect(said.map(({ id: _, ...context }) => context)).toEqual([
    ...[general, general, general, general],
    moved,
    // The draft of a suggestion has what the task of the suggestion had.
    general,
  ]);
});

test("later changes of tasks, features or disciplines do not affect a signal's context", async () => {
  const given = await givenMoves();
  const { log, readModel } = given.store;
  const before = contexts(readModel);
  const head = await log.head();
  await given.does(
    createFeature({ name: "billing" }),
    createDiscipline({ name: "frontend" }),
    changeTask({ task: 1, feature: "billing", discipline: "frontend" }),
    changeTask({ task: DRAFT, feature: "billing", discipline: "frontend" }),
    deleteFeature({ name: "reports" }),
    deleteDiscipline({ name: "backend" }),
    changeTask({ task: 2, depends_on: [] }),
    deleteTask({ task: 1 }),
  );
  expect(contexts(readModel)).toEqual(before);
  // A reduction of the log up to that point gives the same, and so does one of the whole log.
  const past = givenFreshReadModel();
  past.advance(await log.read(0, head), head);
  expect(contexts(past)).toEqual(before);
  const whole = givenFreshReadModel();
  await catchUp(whole, log);
  expect(contexts(whole)).toEqual(before);
});

test("a signal that names an existing feature has that one", async () => {
  const given = await givenProject();
  const suggests = (feature: string): Said => ({
    task: 1,
    session: "s-2",
    verb: "suggest",
    args: { what: "Split it", kind: "split", why: "It is long.", feature },
  });
  await given.does(
    suggests("general"),
    suggests("reports"),
    createFeature({ name: "reports" }),
    suggests("reports"),
  );
  const { database } = given.store.readModel;
  const ids = database
    .prepare("SELECT feature_id FROM task_signals WHERE session_id = 's-2' ORDER BY id")
    .pluck();
  const idOf = database.prepare<[string]>("SELECT id FROM features WHERE name = ?").pluck();
  expect(ids.all()).toEqual([idOf.get("general"), null, idOf.get("reports")]);
});

test("a signal on a task that was never there has no discipline and no feature", async () => {
  const given = await givenProject();
  await given.store.log.append([
    { type: "signal.stuck", payload: { task: 99, session: "s-9", reason: "No task." }, actor: "agent" },
  ]);
  await catchUp(given.store.readModel, given.store.log);
  expect(contexts(given.store.readModel).at(-1)).toMatchObject({
    discipline_id: null,
    feature_id: null,
    author: "agent",
  });
});
