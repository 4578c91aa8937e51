import { expect, test } from "vitest";
import { endSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { runBy } from "../projections/metrics/given.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { parseCsv } from "./parse-csv.ts";

const TABLES = [
  ...[
    "sessions",
    "phases",
    "rework",
    "costs",
    "closings",
    "dones",
    "questions",
    "gates",
    "learnings",
    "most_confirmed",
  ],
];

/** A project in which an agent has told the same thing twice, and closed its task. */
async function givenWork() {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const run = (...args: string[]) => signalbox(args, { cwd: folder });
  await run("session", "start", "1", "--session", "s-1");
  await run("session", "state", "s-1", "testing");
  await project.log.append([runBy("s-1", "opus", "o-1")]);
  for (let times = 0; times < 2; times++) {
    await run("signal", "learned", "--session", "s-1", "--text", '=1+1, "really"', "--kind", "discovery");
  }
  await run("signal", "done", "--session", "s-1", "--summary", "All.");
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  return { project, folder, run };
}

test("metrics of a fresh project are empty tables, with exit code 0", async () => {
  const { folder } = await freshProject();
  expect(await signalboxJson(["metrics"], { cwd: folder })).toEqual(
    Object.fromEntries(TABLES.map((name) => [name, []])),
  );
  expect(await signalbox(["metrics"], { cwd: folder })).toMatchObject({
    exitCode: 0,
    stdout: "Nothing to measure: no session, question, gate or learning in this period.\n",
  });
  expect((await signalbox(["metrics", "--csv"], { cwd: folder })).stdout).toBe(
    "table,group,item,figure,value\r\n",
  );
});

test("metrics give the same numbers as a table, as JSON and as CSV, and append nothing", async () => {
  const { project, folder, run } = await givenWork();
  const head = await project.log.head();
  const json = await signalboxJson(["metrics", "--by", "feature"], { cwd: folder });
  expect(json).toMatchObject({
    sessions: [{ group: "general", sessions: 1, success: 1 }],
    phases: [{ phase: "idle" }, { phase: "testing" }],
    closings: [{ done: 1 }],
    dones: [{ agent: "opus", model: "o-1", claimed: 1, stood: 1, share: 1 }],
    most_confirmed: [{ text: '=1+1, "really"', confirmations: 1 }],
  });
  const rows = parseCsv((await run("metrics", "--by", "feature", "--csv")).stdout);
  expect(rows).toContainEqual(["sessions", "general", "", "success", "1"]);
  expect(rows).toContainEqual(["costs", "general", "", "cost_usd", ""]);
  expect(rows).toContainEqual(["dones", "general", "opus o-1", "stood", "1"]);
  expect(rows).toContainEqual(["most_confirmed", "general", `'=1+1, "really"`, "confirmations", "1"]);
  expect(rows.filter(([table]) => table === "phases")).toHaveLength(10);
  expect((await run("metrics")).stdout).toMatch(/^closings\nperiod +ended +done[^\n]+\n\S+ +1 +1 /m);
  expect(await project.log.head()).toBe(head);
});

test.each([
  [["metrics", "--since", "the other day"], "It must be a date or a time, such as"],
  [["metrics", "--since", "2026-02-30"], "It must be a date or a time, such as"],
  [["metrics", "--by", "colour"], "Allowed choices are feature, discipline, day"],
  [["metrics", "--csv", "--json"], "cannot be used with option"],
  [["metrics", "trace"], "unknown command 'trace'"],
])("%j is wrong usage", async (args, words) => {
  const { folder } = await freshProject();
  const { exitCode, stderr } = await signalbox(args, { cwd: folder });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(words) });
});
