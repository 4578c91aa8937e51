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
 * Step 10: what becomes of a blocker of kind upstream_task that is open from now on.
 *
 * OPEN: a blocker on which a human acted before its session ended is looked at when the act is taken back, not before.
 */
export function link(board: ModelBoard, blocker: ModelBlocker): void {
  blocker.lookedAt = true;
  const target = blocker.dependsOn ?? taskMeantBy(board, blocker);
  // OPEN: one whose task was deleted since it was linked waits for a human, like one that names none.
  if (blocker.kind !== "upstream_task" || target === undefined || !board.tasks.has(target)) return;
  if (isOver(taskOf(board, target).status)) {
    blocker.natural = "resolved";
    blocker.contests = true;
    blocker.dependsOn = target;
  } else if (!reaches(board, target, blocker.task)) {
    blocker.dependsOn = target;
    taskOf(board, blocker.task).held.add(target);
  }
}

/**
 * Step 10: the open blockers that were linked to a task resolve by themselves. Returns the tasks that they blocked.
 *
 * OPEN: "while it is open, the task depends on that task", but in the corpus (056-L20) the dependency stays when the
 * blocker resolves by itself. Here it stays then, and goes when a human closes the blocker or the task is done.
 * OPEN: a link that could not be made again, for it would close a circle by now, still resolves.
 */
export function resolveLinksTo(board: ModelBoard, target: number): number[] {
  const linked = [...board.blockers.values()].filter(
    ({ natural, contests, dependsOn }) => natural === "open" && !contests && dependsOn === target,
  );
  const open = linked.filter((blocker) => stateOf(blocker) === "open");
  for (const blocker of linked) blocker.natural = "resolved";
  return open.map(({ task }) => task);
}

/** Step 10: a human closed a linked blocker; its dependency goes, unless another open blocker holds it. */
export function takeBackLink(board: ModelBoard, { task, dependsOn }: ModelBlocker): void {
  if (dependsOn === undefined) return;
  const others = openBlockers(board, task).filter((other) => other.dependsOn === dependsOn);
  if (others.length === 0) taskOf(board, task).held.delete(dependsOn);
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

/** The numbers written as `#7`, `task 7` or `task #7`, but not those of a PR, MR or issue: `PR #7`, `PR: #7`, `PR no. #7`. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/(?:\btask\s+#?|#)(\d+)/gi)]
    .filter(
      (match) =>
        !/\b(?:pr|mr|pull request|merge request|issue)s?(?:\s*:|\s+no\.)*\s*$/i.test(
          text.slice(0, match.index),
        ),
    )
    .map((match) => Number(match[1]));
}

/** Open blockers of a task. */
export function openBlockers(board: ModelBoard, task: number): ModelBlocker[] {
  return blockersOf(board, task).filter((blocker) => stateOf(blocker) === "open");
}
