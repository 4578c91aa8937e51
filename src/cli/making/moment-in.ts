import type { Project } from "../../api/project.ts";
import { momentNamed } from "../../history/moments.ts";
import type { Microseconds } from "../../lib/time.ts";

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
  return text === undefined ? undefined : momentNamed(text, store.environment.now(), edge);
}
