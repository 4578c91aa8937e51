import { someOf } from "../../lib/some-of.ts";
import type { Task } from "../../projections/board/tables.ts";
import { Refusal } from "../refusal.ts";

/**
 * The feature and the discipline of every project: `init` creates them, and tasks use them by
 * default.
 */
const GENERAL = "general";

/**
 * A feature or a discipline can be deleted only if no task uses it.
 *
 * @param tasks the tasks that use it, whatever their status
 * @throws Refusal `not_possible`, naming the tasks
 */
export function checkUnused(
  noun: "feature" | "discipline",
  name: string,
  tasks: readonly Pick<Task, "id">[],
): void {
  const cannot = `The ${noun} "${name}" cannot be deleted`;
  if (name === GENERAL) {
    throw new Refusal("not_possible", `${cannot}: it is the default for tasks that name no other ${noun}.`);
  }
  if (tasks.length > 0) {
    const ids = someOf(tasks.map(({ id }) => id));
    throw new Refusal(
      "not_possible",
      `${cannot} while tasks refer to it: ${ids}. Move them with \`signalbox task set ID --${noun} NAME\`, or delete them.`,
    );
  }
}
