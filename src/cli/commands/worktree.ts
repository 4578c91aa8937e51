import type { Command } from "commander";
import { z } from "zod";
import { bytes } from "../../lib/readable.ts";
import { pc, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { removeScratch, sweepWorktrees, type TaskWorktree, taskWorktrees } from "../../loop/merge/sweep.ts";
import { sizeOf } from "../../workspace/removal.ts";
import { projectOptions, readModelPath } from "../command.ts";
import { configToUse } from "../confirm-config.ts";
import { addGroup } from "../operation-commands.ts";
import { defineCommand } from "../project-command.ts";

/** The worktrees of tasks: to see them, and to remove by hand what the loop removes as `worktrees.keep` says. */
export function addWorktree(program: Command): void {
  addGroup(program, {
    name: "worktree",
    does: "the worktrees and branches of tasks",
    has: [list, clean],
  });
}

const list = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run(project, _input, options) {
    const path = readModelPath(options);
    return (await taskWorktrees(project, path, await configToUse(options))).map(shown);
  },
  command: {
    name: "list",
    isDefault: true,
    does: "show the worktree and the branch of each task, their size, and what keeps them",
    takes: {},
    example: "--json",
    says: (worktrees) => [
      ...tableLines(
        ["task", "title", "status", "size", "kept for"],
        worktrees.map(({ task, title, status, bytes: size, left }) => [
          task,
          quoteLine(title ?? "", 40),
          status ?? "deleted",
          size === 0 ? "no folder" : bytes(size),
          left.join("; ") || "nothing: can be removed",
        ]),
      ),
      ...(worktrees.length > 1
        ? [pc.dim(`${bytes(worktrees.reduce((sum, { bytes: size }) => sum + size, 0))} in all`)]
        : []),
    ],
  },
});

const clean = defineCommand({
  input: z.strictObject({ dry_run: z.boolean().optional() }),
  async run(project, { dry_run }, options) {
    const path = readModelPath(options);
    const config = await configToUse(options);
    const before = (await taskWorktrees(project, path, config)).map(shown);
    if (dry_run)
      return {
        removed: before.filter(({ left }) => left.length === 0),
        kept: before.filter(({ left }) => left.length > 0),
        scratch: false,
      };
    const gone = await sweepWorktrees(project, path, { config, now: true, tell: () => {} });
    const isGone = ({ task }: { readonly task: number }) => gone.some((one) => one.task === task);
    const scratch = await removeScratch(path);
    return {
      removed: before.filter(isGone),
      kept: (await taskWorktrees(project, path, config)).map(shown),
      scratch,
    };
  },
  command: {
    name: "clean",
    does: "remove the worktrees and branches whose work is in the base and in which nothing is left",
    takes: { dry_run: ["--dry-run", "only say what would be removed"] },
    note: "Whatever holds work that is nowhere else stays, and it says why.",
    example: "--dry-run",
    says: ({ removed, kept, scratch }, { dry_run }) => [
      ...removed.map(
        ({ task, bytes: size }) =>
          `${pc.green("✓")} ${dry_run ? "would remove" : "removed"} the worktree of task ${task} (${bytes(size)})`,
      ),
      ...(scratch ? [`${pc.green("✓")} removed the worktree in which merges are tried`] : []),
      ...kept.map(({ task, left }) => `  task ${task} stays: ${left.join("; ")}`),
      ...(removed.length + kept.length === 0 && !scratch ? ["No task has a worktree or a branch."] : []),
    ],
  },
});

function shown({ since: _, ...worktree }: TaskWorktree) {
  return { ...worktree, bytes: worktree.folder === null ? 0 : sizeOf(worktree.folder) };
}
