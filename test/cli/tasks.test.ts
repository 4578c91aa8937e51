import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

async function given() {
  const { project, folder: cwd } = await freshProject();
  return {
    project,
    cwd,
    run: (...args: string[]) => signalbox(["task", ...args], { cwd }),
    json: (...args: string[]) => signalboxJson(["task", ...args], { cwd }),
  };
}

const PLAN = [
  ...[
    "--tag",
    "export",
    "--tag",
    "csv",
    "--output-artifact",
    "src/csv.ts",
    "--output-artifact",
    "docs/csv.md",
  ],
  ...["--hints", "The orders\ncome sorted.", "--estimated-turns", "20"],
];
const PLANNED = {
  tags: ["export", "csv"],
  output_artifacts: ["src/csv.ts", "docs/csv.md"],
  hints: "The orders\ncome sorted.",
  estimated_turns: 20,
};

test("a task is added and changed with all its fields, and show shows them", async () => {
  const { run, json } = await given();
  expect(await json("add", "Export", ...PLAN)).toMatchObject(PLANNED);
  expect(await json("add", "Import", "--depends-on", "1")).toMatchObject({ tags: [], hints: null });
  expect(await json("set", "2", ...PLAN, "--criterion", "It works.")).toMatchObject(PLANNED);
  expect(await json("set", "2", "--tag", "import", "--hints", "")).toMatchObject({
    ...PLANNED,
    tags: ["import"],
    hints: "",
  });
  await run("enrich", "1", "for each order:\n  write a line", "--context-file", "src/orders.ts");
  const { stdout } = await run("show", "1");
  for (const shown of [
    "needed by 2 (pending)",
    "tags export, csv",
    "about 20 agent turns",
    "hints\nThe orders\ncome sorted.\n",
    "pseudocode\nfor each order:\n  write a line\n",
    "files to know\n- src/orders.ts\n",
    "files to make or change\n- src/csv.ts\n- docs/csv.md\n",
  ])
    expect(stdout).toContain(shown);
  const second = (await run("show", "2")).stdout;
  expect(second).toContain("depends on 1 (pending)\n");
  expect(second).toContain("must be true\n- It works.\n");
  expect(second).not.toContain("hints");
  expect(await json("show", "2")).toMatchObject({
    dependencies: [{ id: 1, title: "Export", status: "pending" }],
    dependents: [],
  });
});

test.each([
  ["--estimated-turns", "0"],
  ["--estimated-turns", "many"],
  ["--tag", " "],
  ["--output-artifact", "a\nb"],
])("%s %j is wrong usage, and nothing is recorded", async (...option) => {
  const { run, project } = await given();
  const head = await project.log.head();
  expect(await run("add", "Export", ...option)).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await project.log.head()).toBe(head);
});

test("a draft that is enriched is pending, with criteria and files where they are given", async () => {
  const { run, json } = await given();
  await run("add", "Export", "--status", "draft");
  expect(await json("enrich", "1", "loop", "--criterion", "Fast.", "--context-file", "a.ts")).toMatchObject({
    status: "pending",
    pseudocode: "loop",
    criteria: ["Fast."],
    context_files: ["a.ts"],
  });
  expect((await run("enrich", "1", "loop twice")).stdout).toBe("Task 1 is pending: Export\n");
  await run("set", "1", "--status", "done");
  const refused = await run("enrich", "1", "loop");
  expect(refused).toMatchObject({
    ...fails(1, "Task 1 is done; only a draft or pending task can be enriched"),
    stdout: "",
  });
});

test("a task is deleted unless others depend on it or a session works on it", async () => {
  const { run, json, project } = await given();
  for (const args of [["Export"], ["Import", "--depends-on", "1"], ["Mail", "--depends-on", "1"]])
    await run("add", ...args);
  const refused = await run("delete", "1");
  expect(refused).toMatchObject({ ...fails(1, "tasks that depend on it: 2, 3."), stdout: "" });
  await project.decide(startSession({ task: 2, session: "s-2", force: true }));
  expect((await run("delete", "2")).stderr).toContain("[session_open]");
  expect(await run("delete", "3")).toMatchObject({
    exitCode: 0,
    stdout: "Deleted task 3; the log keeps its history.\n",
  });
  const answer = await json("delete", "3", "--key", "k-1").catch((error: Error) => error.message);
  expect(answer).toContain("Task 3 was deleted");
  const gone = await run("show", "3");
  expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Task 3 was deleted") });
  expect(await json("list")).toMatchObject({ tasks: [{ id: 1 }, { id: 2 }] });
});

test("a deletion that is sent again under its key is answered as before", async () => {
  const { run, json, project } = await given();
  await run("add", "Export");
  const first = await json("delete", "1", "--key", "k-1");
  const head = await project.log.head();
  expect(first).toEqual({ deleted: 1, position: head });
  expect(await json("delete", "1", "--key", "k-1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
});

test("a human may do more than an agent: set done past a gate, decide proposals by a status or by deletion", async () => {
  const { run, json, project } = await given();
  const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];
  await project.decide(createTask({ title: "Export", gates, accept: "human" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  await project.log.append(["Mail it", "Print it"].map(proposed));
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await json("set", "1", "--status", "done")).toMatchObject({ status: "done" });
  expect(await json("set", "2", "--status", "pending")).toMatchObject({ status: "pending" });
  expect((await run("delete", "3")).exitCode).toBe(0);
  expect(await project.queries.inbox()).toEqual([]);
});

test("the inbox shows a proposal's current text, and says that it was changed", async () => {
  const { run, json, project, cwd } = await given();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  await project.log.append([proposed("Mail it")]);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect((await signalbox(["inbox"], { cwd })).stdout).not.toContain("changed since");
  await run("set", "2", "--title", "Print it");
  const { stdout } = await signalbox(["inbox"], { cwd });
  expect(stdout).toMatch(/Print it\n.*\n +changed since it was proposed: title \(signalbox task show 2\)\n/);
  expect(stdout).not.toContain("Mail it");
  expect(await json("show", "2")).toMatchObject({ title: "Print it", status: "draft" });
});

function proposed(what: string): Draft<"signal.suggest"> {
  const payload = { what, kind: "new_task" as const, why: "Asked for.", task: 1, session: "s-1" };
  return { type: "signal.suggest", payload, actor: "agent" };
}
