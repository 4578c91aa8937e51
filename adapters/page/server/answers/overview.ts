import { z } from "zod";
import { countInbox, countTasks, projectInfo, runningSessions, stoppedProjections } from "../core.ts";
import { defineAnswer } from "./answer.ts";

/** Data for the frame around every view: project, counts, inbox, stopped projections. */
export const overviewAnswer = defineAnswer({
  name: "overview",
  query: z.strictObject({}),
  answer: ({ readModel, name, fleet, visitor }) => {
    const { total, blocking } = countInbox(readModel);
    return {
      title: projectInfo(readModel).title ?? name ?? null,
      /** Who looks at the page. */
      visitor: visitor ?? null,
      counts: countTasks(readModel),
      inbox: total,
      /** How many inbox items block work. */
      blocking,
      running: runningSessions(readModel).length,
      stopped: stoppedProjections(readModel),
      /** Whether several hosts share the log. */
      is_shared: fleet !== undefined,
    };
  },
});
