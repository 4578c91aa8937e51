import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { stepsOf } from "../loop/given-loop.ts";
import { givenMerges } from "../loop/merge/given-merges.ts";
import type { Act } from "../loop/script.ts";

/*
 * Catches: work that was in a commit of a merged task, on its branch or beside it, and is neither in main nor in a finding. Two
 * agents at a time run any git commands in their worktrees while the queue merges. COMMANDS_SEED and COMMANDS_TASKS ask for others.
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

/** In an order of their own for each task `$T`; `$B` is its branch. What fails changes nothing. */
const COMMANDS = [
  "N=$(ls .. | wc -l).$(date +%s%N); echo $N > w-$T-$N.txt",
  "git add -A; git commit -qm Work",
  "git add -A; git commit -q --amend --no-edit",
  'test "$(git rev-list --count main..HEAD)" -gt 1 && git reset -q --soft HEAD~1',
  'test "$(git rev-list --count main..HEAD)" -gt 1 && git reset -q --mixed HEAD~1',
  "git stash -qu",
  'git stash list | grep -q "$B" && git stash pop -q',
  "git switch -q $B",
  "git switch -q side-$T || git switch -qc side-$T",
  "git switch -q --detach",
  "git merge -q --no-edit main || git merge --abort",
  "git rebase -q main || git rebase --abort",
  "git merge -q --no-edit side-$T || git merge --abort",
  "git merge -q --squash side-$T && git commit -qm Squashed",
  "git cherry-pick side-$T || git cherry-pick --abort",
  "git reset -q --soft main",
  "git gc -q --prune=now",
  "git worktree prune",
] as const;

/** Which files of the agent were in a commit that its HEAD was at, or are in a stash of its branches. */
const REPORT = `{ git reflog --format=%H; git stash list --format='%H %gs' | grep "$B\\|side-$T\\|no branch" | cut -d' ' -f1; } |
  while read C; do git ls-tree -r --name-only $C; git ls-tree -r --name-only $C^3 2>/dev/null; done | grep "^w-$T-" | sort -u > ../../made-$T.txt; true`;

test("what was in a commit of a merged task is in main or in a finding, whatever git commands two agents run", {
  timeout: 120_000,
}, async () => {
  const seed = Number(process.env.COMMANDS_SEED ?? 1);
  const count = Number(process.env.COMMANDS_TASKS ?? 12);
  const sequence = fc.array(fc.constantFrom(...COMMANDS), { minLength: 6, maxLength: 14 });
  const sequences = fc.sample(sequence, { seed, numRuns: count });
  const acts = (commands: readonly string[], task: number): Act[] => {
    const words = `T=${task}; B=signalbox/task-${task}; `;
    // Each begins with work, so that few change nothing.
    const shells = [COMMANDS[0], ...commands, REPORT].map((one) => ({
      shell: `${words}{ ${one}; } || true`,
    }));
    return [{ init: "connected" }, ...shells, { call: "done", with: { summary: "Did it." } }, { result: {} }];
  };
  const stuck: Act[] = [
    { init: "connected" },
    { call: "stuck", with: { reason: "No idea." } },
    { result: {} },
  ];
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", base: "main", reopen: 0 },
    config: { jobs: 2 },
    tasks: sequences.map((_, at) => ({ title: `Task ${at + 1}` })),
    acts: Object.fromEntries(
      sequences.map((commands, at) => [at + 1, [acts(commands, at + 1), stuck, stuck, stuck]]),
    ),
  });
  const { steps } = await loop.run();

  const landed = new Set(
    stepsOf(steps, "merge_ended").flatMap(({ task, state }) => (state === "landed" ? [task] : [])),
  );
  const ends = stepsOf(steps, "session_ended").filter(({ closing }) => closing === "done");
  const main = new Set(loop.git("ls-tree", "-r", "--name-only", "main").split("\n"));
  const found = (await loop.project.queries.sql("SELECT task_id, paths FROM session_findings")) as {
    readonly task_id: number;
    readonly paths: string;
  }[];
  for (const { task } of ends) {
    if (task === null || !landed.has(task)) continue;
    const told = found.flatMap(({ task_id, paths }) => (task_id === task ? JSON.parse(paths) : []));
    const report = loop.path(`.ralph/made-${task}.txt`);
    const made = existsSync(report) ? readFileSync(report, "utf8").split("\n").filter(Boolean) : [];
    const lost = made.filter((file) => !main.has(file) && !told.includes(file));
    expect(lost, `${task}, seed ${seed}: ${sequences[task - 1]?.join(" | ")} → ${told}`).toEqual([]);
  }
  expect(ends.length).toBe(count);
  // Else it would show nothing.
  expect(landed.size).toBeGreaterThan(0);
});
