import { findOwnHost } from "../../events/own-host.ts";
import { someOf } from "../../lib/some-of.ts";
import { question, type RowOf } from "../../read-model/question.ts";
import { isAlone, type Judge, type Standing, standingOf } from "../drivers/judge.ts";
import { type Check, type Finding, ok, skipped, warning } from "./check.ts";
import { usableConfig } from "./config.ts";
import { judgeDenials, lastAgents } from "./denials.ts";
import { withLog } from "./log.ts";
import { allIn, atHead, BEHIND, unreadable } from "./read-model.ts";

const NAME = "sessions";

/**
 * Whether there are open sessions that no one will end, because their driver is dead or they never
 * had one; whether recent sessions were denied tools; and whether something changed around them.
 */
export const sessionsCheck: Check = {
  name: NAME,
  async look(place) {
    const { readModelPath } = place;
    if (readModelPath === undefined) return [skipped(NAME, "there is no project")];
    try {
      const seen = await atHead(readModelPath, (database) => ({
        open: allIn(database, OPEN, {}),
        ended: lastAgents(database),
        outside: allIn(database, OUTSIDE, {}),
      }));
      if (seen === undefined) return [skipped(NAME, BEHIND)];
      const judge = {
        readModelPath,
        own: findOwnHost(readModelPath)?.host,
        isAlone: await withLog(readModelPath, async (log) => isAlone(log)),
      };
      return [
        ...judgeDenials(seen.ended, usableConfig(place)),
        ...seen.outside.map(outsideFinding),
        judgeSessions(seen.open, judge),
      ];
    } catch (error) {
      return [unreadable(NAME, error)];
    }
  },
};

type Open = RowOf<typeof OPEN>;

const OPEN = question()((tables) =>
  tables
    .selectFrom("sessions")
    .leftJoin("hosts", "hosts.host", "sessions.host")
    .select(["id", "task_id", "driver", "sessions.host", "started_position", "lost_position"])
    .where("completed_at", "is", null)
    .orderBy("started_position"),
);

/** What changed around the last session around which something did, if it was among the last ten with evidence. */
const OUTSIDE = question()((tables) =>
  tables
    .selectFrom("session_findings as f")
    .select(["f.session_id", "f.says"])
    .where("f.kind", "=", "outside")
    .where("f.position", "in", (recent) =>
      recent.selectFrom("session_work").select("position").orderBy("position", "desc").limit(10),
    )
    .orderBy("f.position", "desc")
    .limit(1),
);

function outsideFinding({ session_id, says }: RowOf<typeof OUTSIDE>): Finding {
  return warning(
    "outside",
    `${session_id}: ${says}`,
    "Put back what was not meant; after ten more sessions this is not shown any more.",
  );
}

function judgeSessions(open: readonly Open[], judge: Judge): Finding {
  if (open.length === 0) return ok(NAME, "no open sessions");
  const judged = open.map((session) => ({ ...session, standing: standingIn(session, judge) }));
  const alone = judged.filter(({ standing }) => standing !== "alive" && standing !== "elsewhere");
  if (alone.length === 0) {
    const elsewhere = judged.filter(({ standing }) => standing === "elsewhere").length;
    const more = elsewhere === 0 ? "" : `; ${elsewhere} of them on other hosts, which alone can tell`;
    return ok(NAME, `${open.length} open, all with a running driver${more}`);
  }
  const named = alone.map(
    ({ id, task_id, standing, driver }) =>
      `${id} ${task_id === null ? "without a task" : `of task ${task_id}`} (${wordsOf(standing, driver)})`,
  );
  const left = alone.some(({ standing }) => standing !== "none");
  return warning(
    NAME,
    `No driver is watching ${someOf(named, { most: 5 })}`,
    left
      ? "End them with `signalbox driver recover`; `signalbox run` does that when it starts."
      : "See `signalbox session list --open`. If an agent is gone, end its session with `signalbox session end SESSION --exit crashed`.",
  );
}

function standingIn(
  { driver, host, started_position, lost_position }: Open,
  judge: Judge,
): Standing | "none" {
  if (driver === null) return "none";
  const isLost = lost_position !== null && started_position < lost_position;
  return standingOf({ driver, host, isLost }, judge);
}

function wordsOf(standing: Standing | "none", driver: string | null): string {
  if (standing === "none") return "no driver";
  return standing === "lost" ? "its host was declared lost" : `${driver} is gone`;
}
