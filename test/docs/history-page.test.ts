import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Event } from "../../src/events/types/index.ts";
import { onLogOf, sumUp } from "../../src/history/what-if/corpus.ts";
import { whatIfPolicy } from "../../src/history/what-if/policy.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";
import { whatIfAfter } from "../replay/what-if/given.ts";
import { signalbox } from "../support/cli.ts";
import { printedOnPage } from "../support/console-steps.ts";

const [, pastStates = "", why = "", page = ""] = readFileSync(packagePath("docs/history.md"), "utf8").split(
  /^## /m,
);

test("the commands about past states print the shown output, except times", () => {
  const given = [
    "signalbox task add 'Export orders as CSV'",
    "signalbox task add 'Mail it' --depends-on 1",
    "signalbox session start 1 --session s-1",
    "signalbox signal ask --session s-1 --question 'Semicolons or tabs?' --blocking",
    "signalbox session end s-1 --exit exited",
    "signalbox inbox answer 6 Semicolons",
  ];
  const { shown, printed } = printedOnPage(pastStates, given);
  expect(shown).toHaveLength(5);
  expect(printed).toEqual(shown);
});

test("the commands about why print the shown output, except times", () => {
  const given = [
    "signalbox task add 'Read the configuration'",
    "signalbox task add 'Export as CSV' --depends-on 1 --verify 'npm test'",
    "signalbox session start 1 --session s-1",
    "signalbox signal ask --session s-1 --question 'Semicolons or tabs?' --blocking",
    "signalbox signal partial --session s-1 --summary 'The reader is there.' --remaining 'The rest.'",
    "signalbox session end s-1 --exit exited",
    "signalbox inbox answer 6 Tabs.",
    "signalbox session start 1 --session s-2",
    "signalbox prompt 1 --session s-2",
    "signalbox signal stuck --session s-2 --reason 'The library knows no tabs.'",
    "signalbox session end s-2 --exit exited",
  ];
  const { shown, printed } = printedOnPage(why, given);
  expect(shown).toHaveLength(2);
  expect(printed).toEqual(shown);
});

test("the commands about what-if print the shown output", async () => {
  const blocks = [...page.matchAll(/```console\n\$ signalbox (.+)\n([\s\S]+?)```/g)];
  expect(blocks).toHaveLength(1);
  for (const [, command = "", printed = ""] of blocks) {
    const ran = await signalbox(command.split(" "));
    expect(ran, command).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout.replace(/ +$/gm, ""), command).toBe(printed);
  }
});

test("the corpus figures for what-if match the options in their rows", async () => {
  const rows = [...page.matchAll(/^\| `(--[^`]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
  expect(rows).toHaveLength(8);
  const histories = await eventsOfCorpus();
  const [written, found]: [unknown[], unknown[]] = [[], []];
  for (const [, options = "", ...figures] of rows) {
    const policy = whatIfPolicy.parse(Object.assign({}, ...options.split(" --").map(policyOf)));
    const reports = await Promise.all(
      histories.map(async ({ id, events }) => ({ simulation: id, ...(await whatIfAfter(policy, events)) })),
    );
    const { differing, parted, other_status, unknown } = sumUp(policy, reports);
    written.push([options, ...figures.map(Number)]);
    found.push([options, differing.length, parted, other_status, unknown]);
  }
  expect(found).toEqual(written);
});

/** Each simulation is replayed once, and not once for each row. */
async function eventsOfCorpus(): Promise<{ id: string; events: readonly Event[] }[]> {
  const histories: { id: string; events: readonly Event[] }[] = [];
  for (const simulation of loadSimulations([packagePath("fixtures/sims")])) {
    const events = await onLogOf(simulation, (log) => log.read(0, 10_000));
    histories.push({ id: simulation.id, events });
  }
  return histories;
}

function policyOf(option: string): unknown {
  const [name = "", value] = option.replace(/^--/, "").split(" ");
  const policies: Record<string, unknown> = {
    "stuck-limit": { stuck_limit: Number(value) },
    "waiting-is-stuck": { waiting_is_stuck: true },
    "partial-resets": { partial_resets: true },
    "partial-with-learnings-resets": { partial_with_learnings_resets: true },
    closing: { closing: value },
  };
  return policies[name];
}
