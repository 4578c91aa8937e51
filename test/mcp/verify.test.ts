import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { readConfig } from "../../src/config/config.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import { runGates } from "../../src/gates/run-gates.ts";
import { actOnGate, declareGates } from "../../src/operations/gates.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { git } from "../../src/workspace/git.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject, givenConfig, writeConfig } from "../support/project.ts";

interface Answer {
  readonly verified?: boolean;
  readonly gates?: readonly { readonly gate: number; readonly state: string; readonly run: boolean }[];
  readonly report?: string;
  readonly next: string;
}

/** A task with these gates in a session, and its agent. */
async function given(
  commands: readonly string[],
  { max = 3, config, unconfirmed }: { max?: number; config?: object; unconfirmed?: string } = {},
) {
  const { project, folder, db } = await freshProject();
  if (config !== undefined) givenConfig(folder, config);
  if (unconfirmed !== undefined) writeConfig(folder, unconfirmed);
  const gates = commands.map((command) => ({ command, max, timeout_s: 10 }));
  await project.decide(createTask({ title: "Export", gates }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const context = { recipe: "signals", session_id: "s-1", task_id: 1 } as const;
  const agent = await connectWith(project.store, context, { readModelPath: db });
  const call = async (name: string, args: Record<string, unknown> = {}, use?: string) => {
    const { isError, text, structured } = await callTool(agent, name, args, use);
    expect(isError, text).toBe(false);
    expect(JSON.parse(text)).toEqual(structured);
    // The output schema of the tool has checked its form.
    return structured as Answer;
  };
  const refused = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, text } = await callTool(agent, name, args);
    expect(isError, text).toBe(true);
    return text;
  };
  return {
    project,
    folder,
    db,
    agent,
    call,
    refused,
    done: (use?: string) => call("done", { summary: "All." }, use),
  };
}

async function eventsOf(project: Project) {
  return (await project.log.read(0, 1_000)).filter(({ type }) =>
    /^(gate\.(started|attempted)|signal)/.test(type),
  );
}
const typesOf = async (project: Project) => (await eventsOf(project)).map(({ type }) => type);

test("done is recorded before its gates are run, and answers that it is verified when they have passed", async () => {
  const { project, done, folder } = await given(["echo one >> ran", "echo two >> ran"]);
  const answer = await done();
  expect(answer).toMatchObject({
    verified: true,
    gates: [
      { gate: 1, state: "passed", run: true },
      { gate: 2, state: "passed", run: true },
    ],
    next: "Verified: every gate is passed or skipped. When the session ends, the task is done, unless partial or stuck follows. End your work here.",
  });
  expect(answer).not.toHaveProperty("report");
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("one\ntwo\n");
  const events = await eventsOf(project);
  expect(events.map(({ type }) => type)).toEqual([
    "signal.done",
    ...["gate.started", "gate.attempted", "gate.started", "gate.attempted"],
  ]);
  expect(events.map(({ actor, correlation }) => [actor, correlation])).toEqual(
    events.map(() => ["agent", "s-1"]),
  );
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "done" });
});

test("a done with a failing gate is no error: the agent gets the failure, and the session stays open", async () => {
  const { project, done } = await given(["echo '1 failing'; echo 'Expected 200, got 403' >&2; exit 1"], {
    max: 5,
  });
  const answer = await done();
  expect(answer.verified).toBe(false);
  expect(answer.report).toBe(`## Shell Verification FAILED (Attempt 1/5)

**Gate:** 1
**Command:** \`echo '1 failing'; echo 'Expected 200, got 403' >&2; exit 1\`
**Exit Code:** 1

### Error Output
\`\`\`
Expected 200, got 403
\`\`\`

### Output
\`\`\`
1 failing
\`\`\`

Please fix the issues and submit again.`);
  expect(answer.next).toContain("Recorded, but not verified; the session is still open.");
  expect(answer.next).toContain("gate 1 fails: fix what fails, then call done or verify again.");
  expect(await project.queries.sessionRow("s-1")).toMatchObject({ completed_at: null, last_closing: "done" });
});

test("an agent that fixes the failure succeeds with its next done", async () => {
  const { project, folder, done, call } = await given(["test -f fixed"]);
  expect((await call("verify")).verified).toBe(false);
  expect((await done()).report).toContain("(Attempt 2/3)");
  writeFileSync(join(folder, "fixed"), "");
  expect((await done()).verified).toBe(true);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "done", failed_gate_attempts: 2 });
});

test("at the maximum of attempts the agent is told to close with partial and leave the decision to the human", async () => {
  const { project, done, call, refused, folder } = await given(["echo x >> ran; false"], { max: 2 });
  await call("verify");
  const escalated = await done();
  expect(escalated.report).toContain("## Shell Verification FAILED - Maximum Attempts Reached");
  expect(escalated.report).toContain("**Attempts:** 2/2");
  expect(escalated.report).toContain("until a human decides on it: retry, skip or abort");
  expect(escalated.report).not.toContain("submit again");
  expect(escalated.next).toContain("call partial, say in `remaining` what is left");
  // Not run any more, and the answer still says what remains to do.
  const after = await done();
  expect(after).toMatchObject({ verified: false, gates: [{ gate: 1, state: "escalated", run: false }] });
  expect(after.next).toContain("Gate 1 has used all its attempts and waits for a human's decision");
  expect(await refused("verify", { gate: 1 })).toContain("Gate 1 of task 1 is escalated and does not run.");
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("x\nx\n");
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "needs_input" });
});

test("a skipped gate counts as passed, and is not run", async () => {
  const { project, done, call, folder } = await given(["echo x >> ran; false"], { max: 1 });
  await call("verify");
  await project.decide(actOnGate({ task: 1, gate: 1, action: "skip" }));
  expect(await done()).toMatchObject({ verified: true, gates: [{ state: "skipped", run: false }] });
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("x\n");
});

test("an aborted gate is not run, and the answer says that the task fails", async () => {
  const { project, done, call } = await given(["false"], { max: 1 });
  await call("verify");
  await project.decide(actOnGate({ task: 1, gate: 1, action: "abort" }));
  expect((await done()).next).toContain(
    "Gate 1 was aborted by a human: the task fails when the session ends.",
  );
});

test("a gate that an agent declared is not run before a human approves it", async () => {
  const { project, done, refused, folder } = await given(["true"]);
  await project.store.log.append([
    {
      id: project.store.environment.newId(),
      type: "gate.declared",
      actor: "agent",
      payload: { task: 1, gate: 2, command: "touch ran", max: 5, timeout_s: 10 },
    },
  ]);
  const answer = await done();
  expect(answer).toMatchObject({ verified: false, gates: [{ run: true }, { state: "pending", run: false }] });
  expect(answer.next).toContain(
    "Gate 2 was declared by an agent and does not run until a human approves it.",
  );
  expect(await refused("verify", { gate: 2 })).toContain("signalbox gate approve 1 2");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("done on a task without gates succeeds, and verify says that there are none", async () => {
  const { project, done, call } = await given([]);
  expect(await done()).toEqual({
    position: expect.any(Number),
    recorded: "done on task 1 in session s-1",
    next: "When the session ends, the task is done, unless partial or stuck follows. End your work here.",
  });
  expect(await call("verify")).toEqual({
    verified: true,
    gates: [],
    next: "The task has no gates. Call done when the work is complete.",
  });
  expect(await typesOf(project)).toEqual(["signal.done"]);
});

test("a late done settles nothing, and runs no gate", async () => {
  const { project, done, refused, folder } = await given(["touch ran"]);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect((await done()).next).toContain("The session has ended");
  expect(await refused("verify")).toContain("No gate was run: session s-1 has ended.");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("the agent names a gate, never a command", async () => {
  const { refused, call } = await given(["true", "true"]);
  expect((await call("verify", { gate: 2 })).gates).toMatchObject([{ run: false }, { gate: 2, run: true }]);
  expect(await refused("verify", { gate: 3 })).toContain("Task 1 has no gate 3.");
  expect(await refused("verify", { command: "touch ran" })).toContain("verify takes");
  expect(await refused("verify", { gate: "npm test" })).toContain("gate");
});

test("a repeated done is answered from its recorded gate results, without running gates again", async () => {
  const { done, folder, project } = await given(["echo x >> ran; false"]);
  const first = await done("use-1");
  const again = await done("use-1");
  expect(again).toMatchObject({ verified: false, gates: [{ state: "failed", attempts: 1, run: false }] });
  expect(first).toMatchObject({ gates: [{ attempts: 1, run: true }] });
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("x\n");
  expect((await typesOf(project)).filter((type) => type === "signal.done")).toHaveLength(1);
});

test("a verify that is sent again, and one that is asked for while it runs, is answered with the one run", async () => {
  const { call, folder } = await given(["echo x >> ran; sleep 0.3; false"], { max: 9 });
  const [first, second] = await Promise.all([call("verify"), call("verify")]);
  expect(second).toEqual(first);
  const keyed = await call("verify", {}, "use-1");
  const [again, running, joined] = await Promise.all([
    call("verify", {}, "use-1"),
    call("verify"),
    call("verify"),
  ]);
  expect(again).toEqual(keyed);
  expect(joined).toEqual(running);
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("x\nx\nx\n");
});

test("other calls are answered while gates are run", async () => {
  const { call, done, folder } = await given(["while [ ! -f go ]; do sleep 0.05; done"]);
  const pending = done();
  await call("flag", { what: "Slow tests.", severity: "info", category: "performance" });
  writeFileSync(join(folder, "go"), "");
  expect((await pending).verified).toBe(true);
});

test("a pass counts for the files that it was run on: done runs it again where they have changed since", async () => {
  const { call, done, folder } = await given(["echo x >> .ralph/ran"]);
  await git(folder, ["init", "--quiet"]);
  writeFileSync(join(folder, "code"), "1");
  await call("verify");
  expect(await done()).toMatchObject({ verified: true, gates: [{ state: "passed", run: false }] });
  writeFileSync(join(folder, "code"), "2");
  expect(await done()).toMatchObject({ verified: true, gates: [{ state: "passed", run: true }] });
  // Asked for by its number it is run in any case.
  expect(await call("verify", { gate: 1 })).toMatchObject({ gates: [{ run: true }] });
  expect(readFileSync(join(folder, ".ralph", "ran"), "utf8")).toBe("x\nx\nx\n");
});

test("a waiting client gets the progress of the gates", async () => {
  const { agent } = await given(["echo one; echo two; sleep 0.2"]);
  const told: (string | undefined)[] = [];
  await agent.callTool({ name: "verify", arguments: {} }, undefined, {
    onprogress: ({ message }) => void told.push(message),
  });
  expect(told[0]).toBe("The gates run one call at a time; the gates of this call have not started.");
});

test("a task that a human must accept is verified, and says that it waits for the human", async () => {
  const { project, done } = await given(["true"]);
  await project.decide(changeTask({ task: 1, accept: "human" }));
  expect((await done()).next).toContain("a human is asked to accept the work");
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "needs_input", awaiting_acceptance: 1 });
});

test("gates that cannot be run leave the done recorded, and the answer says why", async () => {
  const { done, project } = await given(["true"], { config: { gates: { folder: "nowhere" } } });
  const answer = await done();
  expect(answer.verified).toBe(false);
  expect(answer.next).toContain("nowhere");
  expect(answer.next).toContain("call partial");
  expect(await typesOf(project)).toEqual(["signal.done"]);
  const other = await given(["true"], { unconfirmed: "no json" });
  const refused = await other.done();
  expect(refused.verified).toBe(false);
  expect(refused.next).toMatch(/^Recorded, but not verified; .*config\.json is not JSON: .* call partial/);
  expect(await typesOf(other.project)).toEqual(["signal.done"]);
});

test("an unconfirmed configuration runs no gate and counts no attempt, until a human confirms it", async () => {
  const config = JSON.stringify({ gates: { folder: "." } });
  const { call, done, project, db } = await given(["touch ran"], { unconfirmed: config });
  for (const answer of [await call("verify"), await call("verify", { gate: 1 }), await done()]) {
    expect(answer).toMatchObject({ verified: false, gates: [{ state: "pending", run: false }] });
    expect(answer.next).toMatch(
      /that no human has confirmed.*`signalbox config trust`.* leave the rest to the human/,
    );
  }
  expect(await typesOf(project)).toEqual(["signal.done"]);
  confirmConfig(inspectConfig(db));
  expect((await call("verify")).verified).toBe(true);
});

test("the gate settings are fixed when the session begins: an agent cannot change them", async () => {
  const { call, done, folder } = await given(["test -f fixed"]);
  expect((await call("verify")).verified).toBe(false);
  mkdirSync(join(folder, "easy"));
  writeFileSync(join(folder, "easy", "fixed"), "");
  givenConfig(folder, { gates: { folder: "easy" } });
  expect((await done()).verified).toBe(false);
});

test("a gate that breaks an earlier gate's result is detected by the same done", async () => {
  const { done, folder, project } = await given(["test ! -e broken", "touch broken"]);
  await git(folder, ["init", "--quiet"]);
  const answer = await done();
  expect(answer).toMatchObject({ verified: false, gates: [{ state: "failed" }, { state: "passed" }] });
  expect(answer.report).toContain("**Gate:** 1");
  expect((await typesOf(project)).filter((type) => type === "gate.attempted")).toHaveLength(3);
});

test("a gate that writes files of its own is run once by a done", async () => {
  const { done, folder, project } = await given(["true", "date +%N > report"]);
  await git(folder, ["init", "--quiet"]);
  expect((await done()).verified).toBe(true);
  const runs = (await typesOf(project)).filter((type) => type === "gate.attempted");
  // The first one had passed on files without the report.
  expect(runs).toHaveLength(3);
});

test("a second done runs its own gates, whatever the first one's gates still do", async () => {
  const { done, folder, project } = await given([
    "! grep -q bad code",
    "until [ -e .ralph/go ]; do sleep 0.02; done",
  ]);
  await git(folder, ["init", "--quiet"]);
  writeFileSync(join(folder, "code"), "good");
  const first = done();
  while (!(await typesOf(project)).includes("gate.attempted")) await delay(10);
  writeFileSync(join(folder, "code"), "bad");
  const second = done();
  writeFileSync(join(folder, ".ralph", "go"), "");
  expect((await first).verified).toBe(false);
  expect((await second).verified).toBe(false);
});

test("gates of a session that ended meanwhile stop, and count for nothing", async () => {
  const { done, folder, project } = await given([
    "until [ -e .ralph/go ]; do sleep 0.02; done; false",
    "touch second",
  ]);
  const answer = done();
  while (!(await typesOf(project)).includes("gate.started")) await delay(10);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await project.decide(startSession({ task: 1, session: "s-2" }));
  writeFileSync(join(folder, ".ralph", "go"), "");
  expect((await answer).next).toBe("The session has ended in the meantime. Stop here.");
  expect(existsSync(join(folder, "second"))).toBe(false);
  expect((await project.queries.task(1))?.gates).toMatchObject([
    { state: "pending", attempts: 0 },
    { state: "pending", attempts: 0 },
  ]);
});

test("of many failures the first are described in full, and the others listed by number", async () => {
  const { done } = await given(Array.from({ length: 20 }, () => "seq 1 5000; false"));
  const { report = "" } = await done();
  expect(report.length).toBeLessThan(21_000);
  expect(report).toMatch(/Gates \d+(, \d+)*, 20 fail too; fix the failure above first\.$/);
});

test("gates that a human adds in the course of the session are run too", async () => {
  const { project, done } = await given(["true"]);
  await project.decide(declareGates({ task: 1, gates: [{ command: "exit 4", max: 1, timeout_s: 10 }] }));
  expect(await done()).toMatchObject({
    verified: false,
    gates: [{ state: "passed" }, { state: "escalated" }],
  });
});

test("with a baseline, the answer says what failed before and which lines are new", async () => {
  const { project, folder, db, done } = await given(["cat failures; test ! -s failures"], { max: 9 });
  const config = readConfig(db);
  writeFileSync(join(folder, "failures"), "login failed in 12 ms\n");
  const baseline = () => runGates(project, { task: 1, session: "s-1", folder, config, baseline: true });
  await baseline();
  expect((await done()).report).toContain("failed in the same way before your work began");
  writeFileSync(join(folder, "failures"), "login failed in 15 ms\nexport failed\n");
  expect((await done()).report).toContain("These lines are new:\n```\nexport failed\n```");
  writeFileSync(join(folder, "failures"), "");
  await baseline();
  writeFileSync(join(folder, "failures"), "export failed\n");
  expect((await done()).report).toContain("this gate passed before your work began, so the failure is new");
});
