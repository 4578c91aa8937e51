import { expect, test } from "vitest";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a command that is approved by somebody who has not seen all of it, a task that waits and does not say for what. */
async function given() {
  const { project, folder: cwd } = await freshProject();
  return {
    project,
    run: async (...args: string[]) => signalbox(args, { cwd }),
    says: async (...args: string[]) => (await signalbox(args, { cwd })).stdout,
    json: (...args: string[]) => signalboxJson(args, { cwd }),
  };
}

const LONG = `npm test -- ${"x".repeat(300)} && rm -rf build`;
const SCRIPT = "cd web\n\u001b[2Knpm run lint\rtrue";
const SHOWN = ["cd web", "\\u{1b}[2Knpm run lint\\u{d}true"];
const byAgent = ["--actor", "agent"];
const add = ["task", "add", "Export", "--verify", LONG, "--verify", SCRIPT, ...byAgent];

test("an agent's gates wait for approval in every view, and an approval shows each full command", async () => {
  const { run, says, json, project } = await given();
  const two = "2 gates waiting for your approval: signalbox inbox";
  expect(await says(...add)).toBe(`Added task 1: Export\n${two}\n`);
  const waiting = await project.queries.inbox();
  expect(waiting).toMatchObject([{ kind: "gate_approval", id: 3, gate: null }]);

  expect(await says("task", "list")).toContain(`#1: ${two}`);
  expect(await says("task", "show", "1")).toContain(two);
  expect(await says("next")).toBe(`Nothing is ready.\n#1: ${two}\n`);
  expect(await says("status")).toContain(`Waiting for your approval\n  #1 Export  ${two}`);
  expect(await json("status")).toMatchObject({
    waiting: [{ id: 1, unapproved_gates: 2, open_dependencies: 0 }],
  });
  expect(await run("session", "start", "1", "--session", "s-1")).toMatchObject({ exitCode: 1 });
  const inbox = await says("inbox");
  for (const shown of [LONG, ...SHOWN]) expect(inbox).toContain(shown);
  expect(inbox).toContain("signalbox inbox approve 3   or   reject 3");

  const approved = await says("inbox", "approve", "3");
  expect(approved).toContain("gate.approved at position 4; task 1 is pending.");
  for (const shown of [LONG, ...SHOWN]) expect(approved).toContain(shown);
  expect(await json("next")).toMatchObject({ id: 1 });
  expect(await says("inbox")).toBe("Nothing needs you.\n");
  expect(await says("inbox", "undo", "3")).toContain("Gate 2 of task 1 is waiting for your approval again:");
  expect(await says("inbox", "reject", "3")).toContain("Gate 1 of task 1 is rejected and will never run:");
  expect(await json("gate", "list", "1")).toMatchObject([{ state: "skipped" }, { state: "skipped" }]);
});

test("gates are approved, rejected and undone one by one", async () => {
  const { says, json, run } = await given();
  await says(...add);
  const approved = await says("gate", "approve", "1", "2");
  expect(approved).toBe(
    `Gate 2 of task 1 is approved and can run:\n  ${SHOWN.join("\n  ")}\nThe task is pending.\n`,
  );
  expect(await json("gate", "reject", "1", "1")).toMatchObject({
    ...{ task: 1, status: "pending", ready: true },
    gates: [{ gate: 1, approval: "rejected", state: "skipped", command: LONG }],
  });
  expect(await json("gate", "undo", "1", "1")).toMatchObject({
    ready: false,
    gates: [{ approval: "waiting" }],
  });
  const all = await run("gate", "reject", "1");
  expect(all).toMatchObject({ ...fails(2, "name one gate, or give --all"), stdout: "" });
  expect(await run("gate", "reject", "1", "1", "--all")).toMatchObject({ exitCode: 2 });
  expect(await json("gate", "reject", "1", "--all")).toMatchObject({ ready: true, gates: [{ gate: 1 }] });
  const twice = await run("gate", "approve", "1");
  expect(twice.stderr).toContain("No gate of task 1 is waiting for approval. [nothing_to_do]");
});

test("an agent's own approval is refused", async () => {
  const { run, says, project } = await given();
  await says(...add);
  const head = await project.log.head();
  for (const act of [
    ["gate", "approve", "1"],
    ["gate", "reject", "1", "1"],
    ["inbox", "approve", "3"],
    ["gate", "act", "1", "1", "skip"],
    ["inbox", "skip", "3"],
  ]) {
    const refused = await run(...act, ...byAgent);
    expect(refused).toMatchObject({ ...fails(1, "An agent cannot decide on a gate"), stdout: "" });
  }
  expect(await project.log.head()).toBe(head);
});

test("gates can be added to an existing task by gate add, task set and task enrich", async () => {
  const { json, says, run } = await given();
  await json("task", "add", "Export", "--verify", "a");
  expect(
    await json("gate", "add", "1", "--verify", "b", "--verify-max", "2", "--gates", ':: verify:"c" :fast'),
  ).toMatchObject({
    ...{ task: 1, status: "pending", ready: true },
    gates: [
      { gate: 2, command: "b", max_attempts: 2, timeout_s: 300, approval: "unneeded" },
      { gate: 3, command: "c", max_attempts: 5, timeout_s: 30 },
    ],
  });
  await json("task", "set", "1", "--verify", "d", "--title", "Export all", "--status", "draft");
  expect(await says("task", "enrich", "1", "loop", "--verify", "e", ...byAgent)).toBe(
    "Task 1 is pending: Export all\n1 gate waiting for your approval: signalbox inbox\n",
  );
  await json("task", "set", "1", "--verify", "f");
  expect(await says("gate", "add", "1", "--verify", SCRIPT, ...byAgent)).toBe(
    `Gate 7 of task 1:\n  ${SHOWN.join("\n  ")}\n2 gates waiting for your approval: signalbox inbox\n`,
  );
  expect(await json("gate", "list", "1")).toMatchObject(
    ["a", "b", "c", "d", "e", "f", SCRIPT].map((command) => ({ command })),
  );
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [["gate", "add", "1"], "No gate was given. [nothing_to_do]"],
    [["gate", "add", "1", "--gates", ':: "neat"'], "a criterion is not a gate; add it with"],
    [["task", "set", "1", "--verify-max", "2"], "--verify-max applies to the gates of --verify"],
  ];
  for (const [args, message] of wrong) expect((await run(...args)).stderr).toContain(message);
});
