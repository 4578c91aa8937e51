import { z } from "zod";
import type { ActDefinition } from "./act.ts";

const input = z.strictObject({
  /** The maximum number of parallel sessions; absent: as the configuration says. */
  jobs: z.int().min(1).max(100).optional(),
});

/** Starts a loop, a process of its own. It is no decision: the loop itself records that it started. */
export const startLoopAct: ActDefinition<"start_loop", typeof input> = {
  name: "start_loop",
  input,
  async perform({ loops }, { jobs }, key) {
    const { driver, position, output } = await loops.start({ key, jobs });
    return { position, type: "loop.started", task: null, driver, output };
  },
};
