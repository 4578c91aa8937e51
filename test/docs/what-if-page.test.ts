import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Event } from "../../src/events/types/index.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";
import { onLogOf, sumUp } from "../../src/replay/what-if/corpus.ts";
import { whatIfPolicy } from "../../src/replay/what-if/policy.ts";
import { whatIfAfter } from "../replay/what-if/given.ts";
import { signalbox } from "../support/cli.ts";

const page = readFileSync(packagePath("docs/what-if.md"), "utf8");

test("the commands on the page of what-if print what they are said to print", async () => {
  const blocks = [...page.matchAll(/```console\n\$ signalbox (.+)\n([\s\S]+?)```/g)];
  expect(blocks).toHaveLength(1);
  for (const [, command = "", printed = ""] of blocks) {
    const ran = await signalbox(command.split(" "));
    expect(ran, command).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout.replace(/ +$/gm, ""), command).toBe(printed);
  }
});

test("the figures of the corpus on the page of what-if are those that its rows' options give", async () => {
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
    "partial-resets": { partial_resets: "always" },
    "partial-with-learnings-resets": { partial_resets: "with_learnings" },
    closing: { closing: value },
  };
  return policies[name];
}
