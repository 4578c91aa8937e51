import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logPathBeside } from "../../../src/events/log-location.ts";
import { policies, policyNames } from "../../../src/events/types/policies.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../../support/cli.ts";
import { freshFolder, freshProject } from "../../support/project.ts";

/** A project whose task 1 was stuck twice, each time without a word; task 2 was not worked on. */
async function givenStuckTask() {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(createTask({ title: "Import" }));
  for (const session of ["a", "b"]) {
    await project.decide(startSession({ task: 1, session }));
    await project.decide(endSession({ session, exit: "exited" }));
  }
  await project.close();
  return { folder, db };
}

test("what-if reports the effects of another policy on a project, and writes nothing", async () => {
  const { folder, db } = await givenStuckTask();
  const bytes = () =>
    [db, logPathBeside(db)].map((path) => createHash("sha256").update(readFileSync(path)).digest("hex"));
  const before = bytes();
  const ran = await signalbox(["what-if", "--stuck-limit", "2"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout.split("\n").map((line) => line.trimEnd())).toEqual([
    "What if the stuck limit is 2? 8 events, 2 ended sessions.",
    "",
    "tasks     pending  failed",
    "was       2        0",
    "would be  1        1",
    "",
    "#1 Export",
    "  was pending, stuck 2; would be failed, stuck 2",
    "  status first differs at 8, session.ended: pending (settlement 7d), would be failed (settlement 7a)",
    "",
    `What-if cannot know ${policies.stuck_limit.unknown}.`,
    "",
  ]);
  expect(bytes()).toEqual(before);
});

/** Three sessions that left their workspace as it was; the agents of the last two said what they cost. */
async function givenIdleTask() {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  for (const [session, cost_usd] of [["a"], ["b", 0.5], ["c", 0.25]] as const) {
    await project.decide(startSession({ task: 1, session, workspace: "7be093" }));
    if (cost_usd !== undefined)
      await project.log.append([
        { type: "agent.ended", actor: "driver", payload: { session, exit_code: 0, turns: 4, cost_usd } },
      ]);
    await project.decide(endSession({ session, exit: "exited", workspace: "7be093" }));
  }
  await project.close();
  return folder;
}

test.each([
  ["as an option", ["--no-progress", "2"]],
  ["as arguments", ["no_progress", "2"]],
])("a policy that is given %s says what it would have stopped, and what that took", async (_how, args) => {
  const folder = await givenIdleTask();
  const { stdout } = await signalbox(["what-if", ...args], { cwd: folder });
  expect(stdout).toContain("What if a human is asked after 2 sessions that did not get on?");
  expect(stdout).toMatch(
    /session\.started: task 1 is needs_input\); 3 events and 1 session after that are left out, which took \d+ seconds?, 4 turns, \$0\.25/,
  );
  expect(await signalboxJson(["what-if", ...args], { cwd: folder })).toMatchObject({
    policy: { no_progress: 2 },
    tasks: [{ other_history: { saved: { turns: 4, input_tokens: null, cost_usd: 0.25 } } }],
  });
});

test("--json prints one object, --task leaves the other tasks out", async () => {
  const { folder } = await givenStuckTask();
  const report = await signalboxJson(["what-if", "--stuck-limit", "2"], { cwd: folder });
  expect(report).toMatchObject({
    policy: { stuck_limit: 2 },
    head: 8,
    counts: { was: { pending: 2 }, would_be: { pending: 1, failed: 1 } },
    parts_at: 8,
    tasks: [{ task: 1, was: { status: "pending" }, would_be: { status: "failed" }, other_history: null }],
    order: { sessions: 0, first: null },
    sessions: { ended: 2, stuck: 2 },
    cannot_know: [policies.stuck_limit.unknown],
  });
  expect(
    await signalboxJson(["what-if", "--stuck-limit", "2", "--task", "2"], { cwd: folder }),
  ).toMatchObject({
    parts_at: 8,
    tasks: [],
  });
  const ofTask = await signalbox(["what-if", "--stuck-limit", "2", "--task", "2"], { cwd: folder });
  expect(ofTask.stdout).toContain("Task 2 would be the same.");
});

test("a policy file says the same as options, which go before it", async () => {
  const { folder } = await givenStuckTask();
  writeFileSync(join(folder, "policy.json"), '{"stuck_limit": 9, "priorities": {"2": "high"}}');
  const asked = (...args: string[]) =>
    signalboxJson(["what-if", "--policy", "policy.json", ...args], { cwd: folder });
  expect(await asked()).toMatchObject({
    policy: { stuck_limit: 9, priorities: { "2": "high" } },
    order: { sessions: 2, first: { was: 1, would_be: 2 } },
  });
  expect(await asked("--stuck-limit", "2", "--priority", "1=low")).toMatchObject({
    policy: { stuck_limit: 2, priorities: { "1": "low", "2": "high" } },
  });
});

test("on a fresh project it says that there is nothing to compare", async () => {
  const { folder } = await freshProject();
  const ran = await signalbox(["what-if", "--stuck-limit", "2"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toContain("Nothing to compare yet: no session has ended.");
  expect(await signalboxJson(["what-if", "--stuck-limit", "2"], { cwd: folder })).toMatchObject({
    tasks: [],
  });
});

test("a simulation of the corpus is asked by its id", async () => {
  const report = await signalboxJson(["what-if", "--sims", "056-L02", "056-L02", "--stuck-limit", "2"], {
    cwd: freshFolder(),
  });
  // Named twice, it is counted once.
  expect(report).toMatchObject({
    simulations: 1,
    differing: [
      {
        simulation: "056-L02",
        tasks: [{ task: 2, status_parts_at: { would_be: { rule: "settlement 7a" } } }],
      },
    ],
  });
});

test.each([
  [[], "Name a policy, such as"],
  [["--stuck-limit", "0"], "from 1 to 1000"],
  [["--stuck-limit", "1001"], "from 1 to 1000"],
  [["no_progress"], "such as `signalbox what-if no_progress 3`"],
  [["no_progress", "0"], "from 1 to 1000"],
  [["progress", "2"], "no_progress, partials"],
  [["--closing", "best"], "last, first, worst"],
  [["--priority", "7"], "such as 7=high"],
  [["--priority", "7=urgent"], "critical, high, medium, low"],
  [["--partial-resets", "perhaps"], "true or false"],
  [["--stuck-limit", "2", "--adopt", "--at", "1"], "cannot be used with option"],
  [["--priority", "7=high", "--adopt"], "--adopt sets policies, and priorities are none"],
  [["--policy", "nowhere.json"], "nowhere.json cannot be read: ENOENT"],
  [["--sims", "056-L02", "--stuck-limit", "2", "--task", "7"], "cannot be used with option '--task"],
  [["--sims", "056-L99", "--stuck-limit", "2"], "There is no simulation 056-L99"],
])("what-if %j is refused with a valid choice", async (args, words) => {
  const { folder } = await freshProject();
  const ran = await signalbox(["what-if", ...args], { cwd: folder });
  expect(ran).toMatchObject({ ...fails(2, words), stdout: "" });
});

test("a policy file with an unknown field is refused with the valid ones", async () => {
  const { folder } = await freshProject();
  writeFileSync(join(folder, "policy.json"), '{"stuck": 2}');
  const ran = await signalbox(["what-if", "--policy", "policy.json"], { cwd: folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toMatch(
    /policy\.json is not a policy: .*stuck.*It may have stuck_limit, waiting_is_stuck/,
  );
});

test("a priority of a task that no simulation has is refused, and one that only some have is not", async () => {
  const asked = (task: number) => ["what-if", "--sims", "056-L01", "056-L02", "--priority", `${task}=high`];
  const ran = await signalbox(asked(99), { cwd: freshFolder() });
  expect(ran).toMatchObject({
    ...fails(1, "There is no task 99 in 056-L01, 056-L02. Choose another. [not_found]"),
    stdout: "",
  });
  expect(await signalbox(asked(2), { cwd: freshFolder() })).toMatchObject({ exitCode: 0 });
});

test.each([
  ["--stuck-limit", "2", "--task", "99"],
  ["--priority", "99=high"],
])("a task that is not there is named: %s %s", async (...args) => {
  const { folder } = await givenStuckTask();
  const ran = await signalbox(["what-if", ...args], { cwd: folder });
  expect(ran).toMatchObject({ ...fails(1, "There is no task 99"), stdout: "" });
});

test("--adopt sets what was asked about, by a human's word alone", async () => {
  const { folder } = await givenStuckTask();
  const asked = ["what-if", "--stuck-limit", "2", "--partial-resets", "--closing", "last", "--adopt"];
  const nobody = await signalbox(asked, { cwd: folder });
  expect(nobody).toMatchObject({ exitCode: 1 });
  expect(nobody.stderr).toContain("there is no terminal to ask on. Add --yes.");
  const agent = await signalbox([...asked, "--yes"], { cwd: folder, env: { RALPH_SESSION_ID: "b" } });
  expect(agent.stderr).toContain("in session b, and that is for a human");
  const list = () => signalboxJson(["policy"], { cwd: folder });
  expect(await list()).toMatchObject(policyNames.map(() => ({ position: null })));
  expect((await signalbox([...asked, "--yes"], { cwd: folder })).stderr).toContain(
    "Set stuck_limit to 2, partial_resets to true, from now on.",
  );
  // The closing rule is the default: it is not set.
  expect(await list()).toMatchObject([
    { name: "stuck_limit", value: 2, position: 10 },
    { position: null },
    { name: "partial_resets", value: true, position: 11 },
    ...policyNames.slice(3).map(() => ({ position: null })),
  ]);
  const again = await signalbox([...asked, "--yes"], { cwd: folder });
  expect(again).toMatchObject({ exitCode: 0, stderr: "The policies have these values already.\n" });
});
