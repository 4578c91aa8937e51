import { expect, test } from "vitest";
import { liveOverviews, lookAt } from "../../../src/cli/watch/live.ts";
import { endSession, startSession } from "../../../src/index.ts";
import { FleetWatch } from "../../../src/outside/fleet/view.ts";
import { givenTask, says } from "./given-project.ts";

test("the last change is always shown, and changes that come fast are shown together", async () => {
  const { project } = await givenTask();
  const positions: number[] = [];
  const seen = new Promise<void>((resolve, reject) => {
    const subscription = liveOverviews(project, 3).subscribe({
      next({ position, sessions }) {
        positions.push(position);
        if (position < 255) return;
        subscription.unsubscribe();
        if (sessions.length === 0) resolve();
        else reject(new Error("the end of the session is not shown"));
      },
      error: reject,
    });
  });
  await project.decide(startSession({ task: 1, session: "s-1" }));
  for (let n = 0; n < 250; n++) {
    await says(project, "s-1", "learned", { text: `Fact ${n}.`, kind: "discovery" });
  }
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await seen;
  expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
  expect(positions.length).toBeLessThan(150);
});

test("a loop of a silent host is shown as silent, as its host is on a shared log", async () => {
  const { project } = await givenTask();
  const host = "00000000-0000-4000-8000-000000000001";
  await project.log.append([
    { type: "loop.started", payload: { driver: "d-1", agent: "claude", jobs: 1, host }, actor: "driver" },
  ]);
  const shared = Object.create(project, {
    store: { value: { ...project.store, log: Object.create(project.log, { hosts: { value: {} } }) } },
  });
  const fleet = Object.create(FleetWatch.prototype, {
    look: { value: async () => ({ hosts: [{ host, state: "suspect" }] }) },
  });
  expect((await lookAt(shared)).loops).toMatchObject([{ driver: "d-1", sign: "unknown" }]);
  expect((await lookAt(shared, fleet)).loops).toMatchObject([{ driver: "d-1", sign: "host_silent" }]);
});
