import { z } from "zod";
import { toIsoTime, toSqlTime } from "../../../events/time.ts";
import { overview } from "../../../projections/queries/overview.ts";
import { projectInfo } from "../../../projections/queries/project.ts";
import { defineAnswer } from "./answer.ts";

/** What stands around every view: the project, counts, what waits, what is stopped. */
export const overviewAnswer = defineAnswer({
  name: "overview",
  query: z.strictObject({}),
  answer: ({ readModel, now }) => {
    const midnight = Math.floor(now / DAY_US) * DAY_US;
    const { sessions, counts, ready, inbox, loops, cost, stopped } = overview(
      readModel,
      toSqlTime(toIsoTime(midnight)),
    );
    return {
      title: projectInfo(readModel).title,
      counts,
      ready,
      inbox: inbox.length,
      running: sessions.length,
      loops: loops.length,
      /** Of this day, in UTC. */
      cost,
      stopped,
    };
  },
});

const DAY_US = 86_400_000_000;
