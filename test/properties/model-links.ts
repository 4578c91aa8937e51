import {
  blockersOf,
  isOver,
  type ModelBlocker,
  type ModelBoard,
  reaches,
  stateOf,
  taskOf,
} from "./model-board.ts";

/**
 * Step 10: what becomes of a blocker of kind upstream_task when its session has ended. A blocker on which a human
 * acted before is linked like any other; the act lies over what comes of it.
 */
export function link(board: ModelBoard, blocker: ModelBlocker): void {
  const target = taskMeantBy(board, blocker);
  if (target === undefined) return;
  if (isOver(taskOf(board, target).status)) {
    blocker.natural = "resolved";
    blocker.contests = true;
    blocker.dependsOn = target;
  } else if (!reaches(board, target, blocker.task)) {
    blocker.linked = true;
    blocker.dependsOn = target;
  }
}

/** Step 10: the open blockers that were linked to a task resolve by themselves. Returns the tasks that they held. */
export function resolveLinksTo(board: ModelBoard, target: number): number[] {
  const resolved = [...board.blockers.values()].filter(
    (blocker) => blocker.linked && blocker.natural === "open" && blocker.dependsOn === target,
  );
  for (const blocker of resolved) {
    // Corpus 056-L20: what it held stays among the dependencies of its task.
    if (stateOf(blocker) === "open") taskOf(board, blocker.task).left.add(target);
    blocker.natural = "resolved";
  }
  return resolved.map(({ task }) => task);
}

/** An act on a blocker was taken back: its link is made again, unless that closes a circle by now. */
export function linkAgain(board: ModelBoard, blocker: ModelBlocker): void {
  if (!blocker.linked || blocker.natural !== "open" || blocker.dependsOn === undefined) return;
  // The blocker itself must not count, or it would always be found to depend on its own link.
  blocker.linked = false;
  blocker.linked = !reaches(board, blocker.dependsOn, blocker.task);
}

function taskMeantBy(board: ModelBoard, { on, task: own }: ModelBlocker): number | undefined {
  const named = numbersIn(on).find((id) => id !== own && board.tasks.has(id));
  if (named !== undefined) return named;
  const text = on.toLowerCase();
  const others = [...board.tasks.values()].filter(({ id }) => id !== own);
  const equal = others.filter(({ title }) => title.toLowerCase() === text);
  if (equal.length > 0) return equal.length === 1 ? equal[0]?.id : undefined;
  const contained = others.filter(({ title }) => text.includes(title.toLowerCase()));
  return contained.length === 1 ? contained[0]?.id : undefined;
}

/** The numbers written as `#7`, `task 7` or `task #7`, but not those of a PR, MR or issue. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/(?:\btask\s+#?|#)(\d+)/gi)]
    .filter((match) => !/\b(?:pr|mr|pull request|merge request|issue)s?\s*$/i.test(text.slice(0, match.index)))
    .map((match) => Number(match[1]));
}

/** Open blockers of a task. */
export function openBlockers(board: ModelBoard, task: number): ModelBlocker[] {
  return blockersOf(board, task).filter((blocker) => stateOf(blocker) === "open");
}
