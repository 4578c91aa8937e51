import { z } from "zod";
import {
  costSince,
  countReady,
  DAY_US,
  lastStoppedLoop,
  runningLoops,
  type SeenLoop,
  toIsoTime,
  toSqlTime,
  workPause,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";

/** Data for the loop bar: whether agents are started, why not, and what that costs. */
export const loopAnswer = defineAnswer({
  name: "loop",
  query: z.strictObject({}),
  answer: async ({ readModel, now, fleet, loops }) => {
    // Before anything is read: the read model stands still only until the first wait.
    const hosts = loops && (await fleet?.())?.hosts;
    const running = runningLoops(readModel);
    const midnight = Math.floor(now / DAY_US) * DAY_US;
    return {
      loops: loops?.see(running, hosts) ?? running.map((loop): SeenLoop => ({ ...loop, sign: "unknown" })),
      /** The loop that stopped last. */
      last: lastStoppedLoop(readModel) ?? null,
      /** Why no driver starts a session; null while work goes on. */
      paused: workPause(readModel) ?? null,
      ready: countReady(readModel),
      /** Of the current day in UTC. */
      cost: costSince(readModel, toSqlTime(toIsoTime(midnight))),
      /** With what a loop would be started; null in the past. */
      plan: loops?.plan() ?? null,
    };
  },
});
