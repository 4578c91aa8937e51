import { expect, test } from "vitest";
import { policies } from "../../src/events/types/policies.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

test("every policy is listed with its value and what it decides, and can be set", async () => {
  const { folder } = await freshProject();
  const list = () => signalboxJson(["policy"], { cwd: folder });
  expect(await list()).toEqual(
    Object.entries(policies).map(([name, { absent, does, takes, readBy, unknown }]) => ({
      ...{ name, value: absent, default: absent, position: null, does, takes },
      ...{ read_by: readBy, cannot_know: unknown },
    })),
  );
  const others = { ...{ stuck_limit: 5, waiting_is_stuck: true, partial_resets: true }, closing: "worst" };
  const counts = { no_progress: 5, partials: 20, "evidence.no_change": "refuse" };
  for (const [name, value] of Object.entries({ ...others, ...counts, partial_with_learnings_resets: true })) {
    const ran = await signalbox(["policy", "set", name, String(value)], { cwd: folder });
    expect(ran.stdout).toMatch(`${name} is ${value} from position`);
  }
  expect(await list()).toMatchObject([
    { name: "stuck_limit", value: 5, default: 3 },
    { name: "waiting_is_stuck", value: true },
    { name: "partial_resets", value: true },
    { name: "partial_with_learnings_resets", value: true },
    { name: "no_progress", value: 5 },
    { name: "partials", value: 20 },
    { name: "closing", value: "worst" },
    { name: "evidence.left_behind", value: "refuse", position: null },
    { name: "evidence.gone", value: "refuse", position: null },
    { name: "evidence.undoes", value: "refuse", position: null },
    { name: "evidence.no_change", value: "refuse", default: "ask" },
    { name: "evidence.checks_changed", value: "ask", position: null },
    { name: "evidence.outside", value: "note", position: null },
    { name: "gates.unproven", value: "ask_if_alone", position: null },
    { name: "artifacts.outside", value: "note", position: null },
  ]);
  const again = await signalbox(["policy", "set", "closing", "worst"], { cwd: folder });
  expect(again.stderr).toContain("Policy closing is already worst.");
});

test.each([
  ["stuck_limit", "0", "stuck_limit takes a whole number from 1 to 1000"],
  ["stuck_limit", "true", "stuck_limit takes a whole number from 1 to 1000"],
  ["closing", "best", "closing takes one of last, first, worst"],
  ["evidence.gone", "done", "evidence.gone takes one of note, ask, refuse"],
  ["closing", "1", "closing takes one of last, first, worst"],
  ["partial_resets", "1", "partial_resets takes true or false"],
  ["limit", "2", "The policies are stuck_limit, waiting_is_stuck"],
])("policy set %s %s is refused with what it takes", async (name, value, words) => {
  const { folder } = await freshProject();
  const ran = await signalbox(["policy", "set", name, value], { cwd: folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain(words);
});
