import type { Command } from "commander";
import { z } from "zod";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { bytes } from "../../lib/readable.ts";
import { pc, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import {
  removeScratch,
  sweepWorktrees,
  type TaskWorktree,
  taskWorktrees,
  whyItStays,
} from "../../loop/merge/sweep.ts";
import { sizeOf } from "../../workspace/removal.ts";
import { configToUse } from "../asking/confirm-config.ts";
import { type CommonOptions, projectOptions, readModelPath } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";

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
    return shown(project, options, await configToUse(options));
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
    const before = await shown(project, options, config);
    if (dry_run)
      return {
        removed: before.filter(({ left }) => left.length === 0),
        kept: before.filter(({ left }) => left.length > 0),
        scratch: false,
      };
    const { removed, refused } = await sweepWorktrees(project, path, { config, now: true, tell: () => {} });
    const gone = new Set(removed.map(({ task }) => task));
    return {
      removed: before.filter(({ task }) => gone.has(task)),
      kept: before
        .filter(({ task }) => !gone.has(task))
        .map((one) => ({ ...one, left: [...one.left, ...[refused.get(one.task) ?? []].flat()] })),
      scratch: await removeScratch(path),
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
      ...(scratch ? [`${pc.green("✓")} removed the worktrees in which merges are tried and gates run`] : []),
      ...kept.map(({ task, left }) => `  task ${task} stays: ${left.join("; ")}`),
      ...(removed.length + kept.length === 0 && !scratch ? ["No task has a worktree or a branch."] : []),
    ],
  },
});

async function shown(project: Project, options: CommonOptions, config: Config) {
  const path = readModelPath(options);
  const found: (Omit<TaskWorktree, "since"> & {
    readonly left: readonly string[];
    readonly bytes: number;
  })[] = [];
  for (const { since: _, ...worktree } of await taskWorktrees(path, project))
    found.push({
      ...worktree,
      left: await whyItStays(project, path, config, worktree.task),
      bytes: worktree.folder === null ? 0 : sizeOf(worktree.folder),
    });
  return found;
}
