import { expect, test } from "vitest";
import { liveOverviews } from "../../../src/cli/watch/live.ts";
import { endSession, startSession } from "../../../src/index.ts";
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
