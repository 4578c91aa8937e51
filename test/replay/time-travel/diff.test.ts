import { expect, test } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { diffStates } from "../../../src/history/time-travel/diff.ts";
import { deleteTask } from "../../../src/operations/delete-task.ts";
import { declareGates } from "../../../src/operations/gates.ts";
import { answerQuestion } from "../../../src/operations/inbox.ts";
import { addLearning } from "../../../src/operations/learnings.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { changeTask, createTask } from "../../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../../support/cli.ts";
import { freshProject } from "../../support/project.ts";
import { coded } from "../../support/refusal.ts";

async function says(project: Project, verb: "ask" | "blocked" | "flag", fields: Record<string, unknown>) {
  const { events } = await project.log.append([
    {
      type: `signal.${verb}`,
      actor: "agent",
      correlation: "s-1",
      payload: { ...fields, task: 1, session: "s-1" },
    },
  ]);
  return events[0]?.position ?? 0;
}

async function diffOf(project: Project, from: number | string, to: number | string) {
  const [before, after] = [await project.at(from), await project.at(to)];
  const diff = diffStates(before.store.readModel, after.store.readModel);
  await before.close();
  await after.close();
  return diff;
}

/** Two tasks; the first one's session asks, is blocked, flags, and ends; then the question is answered. */
async function givenWork() {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(createTask({ title: "Mail" }));
  const start = await project.log.head();
  await project.decide(declareGates({ task: 1, gates: [{ command: "npm test", max: 5, timeout_s: 60 }] }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const question = await says(project, "ask", { question: "Semicolons?", blocking: true });
  const blocker = await says(project, "blocked", { on: "the key of the API", kind: "external" });
  const flag = await says(project, "flag", { what: "Slow.", severity: "warning", category: "performance" });
  await project.decide(addLearning({ text: "Sorted by date.", source: "human", kind: "discovery", task: 1 }));
  const before = await project.log.head();
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  const end = await project.log.head();
  await project.decide(answerQuestion({ id: question, answer: "Yes." }));
  await project.decide(changeTask({ task: 2, priority: "high", title: "Mail it" }));
  return { project, folder, start, before, end, question, blocker, flag };
}

test("diff lists the changes between two points by task, with the rule of each status", async () => {
  const { project, start, end, question, blocker, flag } = await givenWork();
  const diff = await diffOf(project, start, "HEAD");
  expect(diff.counts).toEqual({
    tasks_created: 0,
    tasks_deleted: 0,
    statuses_changed: 1,
    sessions_started: 1,
    sessions_ended: 1,
    questions_asked: 1,
    questions_answered: 1,
    blockers_raised: 1,
    gates_changed: 1,
    learnings: 1,
    flags: 1,
  });
  expect(diff.tasks).toMatchObject([
    {
      task: 1,
      change: "changed",
      status: { from: "pending", to: "blocked", position: end + 1 },
      fields: [],
      sessions: [{ session: "s-1", from: null, to: "failure" }],
      questions: [{ id: question, from: null, to: "answered", answer: "Yes." }],
      blockers: [{ id: blocker, on: "the key of the API", from: null, to: "open" }],
      gates: [{ gate: 1, command: "npm test", from: null, to: "pending" }],
      flags: [{ id: flag, severity: "warning", what: "Slow." }],
    },
    {
      task: 2,
      title: "Mail it",
      change: "changed",
      status: null,
      fields: ["title", "priority"],
      sessions: [],
    },
  ]);
});

test("items in both states are shown with their change", async () => {
  const { project, before, end, question } = await givenWork();
  const { tasks } = await diffOf(project, before, end);
  expect(tasks).toMatchObject([
    {
      task: 1,
      status: { from: "in_progress", to: "needs_input", rule: "settlement 7b", position: end },
      sessions: [{ session: "s-1", from: "open", to: "failure" }],
      questions: [{ id: question, from: "raised", to: "open", answer: null }],
      gates: [],
      flags: [],
    },
  ]);
});

test("added and deleted tasks are shown; equal points have no differences", async () => {
  const { project } = await givenWork();
  const head = await project.log.head();
  await project.decide(createTask({ title: "Late" }));
  await project.decide(deleteTask({ task: 2 }));
  const { tasks, counts } = await diffOf(project, head, "HEAD");
  expect(counts).toMatchObject({ tasks_created: 1, tasks_deleted: 1, statuses_changed: 0 });
  expect(tasks.map(({ task, change, status }) => [task, change, status?.from, status?.to])).toEqual([
    [2, "deleted", "pending", null],
    [3, "created", null, "pending"],
  ]);
  const nothing = await diffOf(project, head, head);
  expect([nothing.tasks, nothing.learnings, ...Object.values(nothing.counts)].flat()).toEqual(
    Array(11).fill(0),
  );
});

test("a learning of a task in neither state is shown without the task", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(createTask({ title: "Mail" }));
  const learning = { text: "Sorted by date.", source: "human", kind: "discovery" } as const;
  await project.decide(addLearning({ ...learning, task: 1 }));
  await project.decide(deleteTask({ task: 1 }));
  const between = await project.log.head();
  await project.decide(addLearning({ ...learning, task: 2 }));
  const { tasks, learnings } = await diffOf(project, between, "HEAD");
  expect(tasks).toEqual([]);
  expect(learnings).toMatchObject([{ text: "Sorted by date.", from: 1, to: 2 }]);
});

test("a past project answers as it did then, and accepts no decision", async () => {
  const { project, end } = await givenWork();
  const past = await project.at(end);
  expect((await past.queries.taskRow(2))?.title).toBe("Mail");
  expect(await past.log.head()).toBe(end);
  for (const refused of [
    past.decide(createTask({ title: "x" })),
    past.log.append([{ type: "progress.noted", actor: "human", payload: { text: "x" } }]),
  ])
    await expect(refused).rejects.toMatchObject(coded("not_possible", `position ${end}`));
  await past.close();
  // The project itself goes on.
  expect((await project.queries.taskRow(2))?.title).toBe("Mail it");
  await expect(project.at("nonsense")).rejects.toMatchObject({ code: "no_point" });
});

test("diff prints counts and tasks, and refuses points in the wrong order", async () => {
  const { project, folder, start, end } = await givenWork();
  const head = await project.log.head();
  const options = { cwd: folder };
  const { stdout } = await signalbox(["diff", String(start)], options);
  expect(stdout).toContain("statuses changed 1");
  expect(stdout).toMatch(/#1 Export\n {2}status {5}pending → blocked {2}\(.*, #\d+\)/);
  expect(await signalboxJson(["diff", String(start), String(end)], options)).toMatchObject({
    from: { position: start },
    to: { position: end },
    tasks: [{ task: 1 }],
  });
  // A feature and a discipline come with every project, and are not compared.
  const { stdout: ofNothing } = await signalbox(["diff", "0", "2"], options);
  expect(ofNothing).toContain("No differences in tasks or learnings.");
  expect(await signalbox(["diff", "HEAD", String(start)], options)).toMatchObject(
    fails(1, `Position ${head} is after ${start}`),
  );
});
