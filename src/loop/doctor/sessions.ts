import { question, type RowOf } from "../../projections/question.ts";
import { isAlive } from "../drivers/registry.ts";
import { type Check, type Finding, ok, skipped, warning } from "./check.ts";
import { usableConfig } from "./config.ts";
import { judgeDenials, lastAgents } from "./denials.ts";
import { allIn, atHead, BEHIND, unreadable } from "./read-model.ts";

const NAME = "sessions";

/**
 * Whether there are open sessions that no one will end, because their driver is dead or they never
 * had one; and whether recent sessions were denied tools.
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
      }));
      if (seen === undefined) return [skipped(NAME, BEHIND)];
      return [...judgeDenials(seen.ended, usableConfig(place)), judgeSessions(readModelPath, seen.open)];
    } catch (error) {
      return [unreadable(NAME, error)];
    }
  },
};

type Open = RowOf<typeof OPEN>;

const OPEN = question()((tables) =>
  tables
    .selectFrom("sessions")
    .select(["id", "task_id", "driver"])
    .where("completed_at", "is", null)
    .orderBy("started_position"),
);

const SHOWN = 5;

function judgeSessions(path: string, open: readonly Open[]): Finding {
  if (open.length === 0) return ok(NAME, "no open sessions");
  const alone = open.filter(({ driver }) => driver === null || !isAlive(path, driver));
  if (alone.length === 0) return ok(NAME, `${open.length} open, all with a running driver`);
  const named = alone
    .slice(0, SHOWN)
    .map(
      ({ id, task_id, driver }) =>
        `${id} of task ${task_id} (${driver === null ? "no driver" : `${driver} is gone`})`,
    );
  const more = alone.length > SHOWN ? ` and ${alone.length - SHOWN} more` : "";
  const left = alone.some(({ driver }) => driver !== null);
  return warning(
    NAME,
    `No driver is watching ${named.join(", ")}${more}`,
    left
      ? "End them with `signalbox driver recover`; `signalbox run` does that when it starts."
      : "See `signalbox session list --open`. If an agent is gone, end its session with `signalbox session end SESSION --exit crashed`.",
  );
}
