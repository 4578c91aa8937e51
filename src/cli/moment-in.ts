import type { Microseconds } from "../events/time.ts";
import type { Project } from "../project/project.ts";
import { readMoment } from "../replay/moments.ts";
import { PointError } from "../replay/time-travel/point-error.ts";

/**
 * The time that an option such as `--since` names.
 *
 * @param edge of a day, where the text names no more than that
 * @throws PointError: the text names no time
 */
export async function momentIn(
  text: string | undefined,
  { store }: Pick<Project, "store">,
  edge: "start" | "end" = "start",
): Promise<Microseconds | undefined> {
  if (text === undefined) return undefined;
  const moment = await readMoment(text, store.environment.now(), edge);
  if (moment !== undefined) return moment;
  throw new PointError(
    `"${text}" is not a time. It must be a date or a time, such as 2026-11-21, 2026-11-21T14:30:00Z or "2 hours ago".`,
  );
}
