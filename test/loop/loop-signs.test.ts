import { expect, test } from "vitest";
import { seenLoops } from "../../src/loop/drivers/loop-signs.ts";
import { beat, signOff } from "../../src/loop/drivers/registry.ts";
import type { HostView } from "../../src/outside/fleet/hosts.ts";
import { freshProject } from "../support/project.ts";

const OTHER = "00000000-0000-4000-8000-000000000001";
const started = (driver: string, host?: string) => ({
  type: "loop.started" as const,
  payload: { driver, agent: "claude", jobs: 1, ...(host !== undefined && { host }) },
  actor: "driver",
});

test("on a log that is a file, a loop lives as long as its process, wherever its folder was before", async () => {
  const { project, db } = await freshProject();
  await project.log.append([started("d-1"), started("d-2", OTHER)]);
  const signs = async () =>
    seenLoops(project.store, await project.queries.runningLoops(), undefined).map(({ sign }) => sign);
  expect(await signs()).toEqual(["died", "died"]);
  for (const driver of ["d-1", "d-2"]) beat(db, driver, process.pid);
  expect(await signs()).toEqual(["alive", "alive"]);
  signOff(db, "d-2");
  expect(await signs()).toEqual(["alive", "died"]);
});

test("on a shared log a host judges its own loops by their processes, and others by their hosts' signs of life", async () => {
  const { project, db } = await freshProject();
  const own = project.store.ownHost?.().host ?? "";
  await project.log.append([started("d-own", own), started("d-gone", own), started("d-other", OTHER)]);
  beat(db, "d-own", process.pid);
  const log = Object.create(project.log, { hosts: { value: {} } });
  const loops = await project.queries.runningLoops();
  const signs = (state?: HostView["state"]) =>
    seenLoops({ ...project.store, log }, loops, state && [hostView(OTHER, state)]).map(({ sign }) => sign);
  expect(signs("alive")).toEqual(["alive", "died", "alive"]);
  expect(signs("suspect")).toEqual(["alive", "died", "host_silent"]);
  expect(signs("lost")).toEqual(["alive", "died", "host_lost"]);
  expect(signs("unknown")).toEqual(["alive", "died", "unknown"]);
  expect(signs()).toEqual(["alive", "died", "unknown"]);
});

function hostView(host: string, state: HostView["state"]): HostView {
  const none = { name: null, level: null, silent_ms: null, lost_at: null, sessions: [], gate_runs: [] };
  return { host, state, epoch: 1, ...none };
}
