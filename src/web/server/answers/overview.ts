import { z } from "zod";
import { toIsoTime, toSqlTime } from "../../../events/time.ts";
import { costSince } from "../../../projections/queries/costs.ts";
import { countInbox } from "../../../projections/queries/inbox.ts";
import { runningLoops, stoppedProjections } from "../../../projections/queries/overview.ts";
import { workPause } from "../../../projections/queries/pause.ts";
import { projectInfo } from "../../../projections/queries/project.ts";
import { runningSessions } from "../../../projections/queries/running-sessions.ts";
import { countReady, countTasks } from "../../../projections/queries/tasks.ts";
import { defineAnswer } from "./answer.ts";

/** Data for the frame around every view: project, counts, inbox, stopped projections. */
export const overviewAnswer = defineAnswer({
  name: "overview",
  query: z.strictObject({}),
  answer: ({ readModel, now, fleet }) => {
    const loops = runningLoops(readModel);
    const midnight = Math.floor(now / DAY_US) * DAY_US;
    return {
      title: projectInfo(readModel).title,
      counts: countTasks(readModel),
      ready: countReady(readModel),
      inbox: countInbox(readModel).total,
      running: runningSessions(readModel).length,
      loops: loops.length,
      /** Loops that start no session for a while. */
      pauses: loops.flatMap(({ driver, waits_for: why, waits_until: until, waits_reason: reason }) =>
        why === null || until === null ? [] : [{ driver, why, until, reason: reason ?? "" }],
      ),
      /** Why no driver starts a session; null while work goes on. */
      paused: workPause(readModel) ?? null,
      /** Of the current day in UTC. */
      cost: costSince(readModel, toSqlTime(toIsoTime(midnight))),
      stopped: stoppedProjections(readModel),
      /** Whether several hosts share the log. */
      is_shared: fleet !== undefined,
    };
  },
});

const DAY_US = 86_400_000_000;
