import { useAnswer } from "../../answers.ts";
import type { Lines } from "./lines.ts";

/** The titles of the tasks of the visible events, at the shown moment. @param shown the visible indexes */
export function useTitles(
  lines: Lines,
  [first, last]: readonly [number, number],
): ReadonlyMap<number, string> {
  const tasks = new Set<number>();
  for (let nth = first; nth <= last && tasks.size < LIMIT; nth++) {
    const task = lines.lineAt(nth)?.task ?? null;
    if (task !== null) tasks.add(task);
  }
  const asked = [...tasks].sort((one, other) => one - other).join(",");
  const { answer } = useAnswer("task_titles", { tasks: asked }, { enabled: asked !== "", isPassing: true });
  return new Map(answer?.map(({ id, title }) => [id, title]));
}

/** The server's limit. */
const LIMIT = 200;
