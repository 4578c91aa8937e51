import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../../src/api/project.ts";
import type { EventType } from "../../../src/events/types/index.ts";
import type { NewTask } from "../../../src/operations/tasks.ts";
import { type GivenLoop, givenLoop } from "../given-loop.ts";
import type { Act } from "../script.ts";

/** A loop whose project is a repository with `main` checked out, a file `list.txt` and worktrees. */
export interface GivenMerges extends GivenLoop {
  git(...args: readonly string[]): string;
  /** In the worktree of a task. */
  gitIn(task: number, ...args: readonly string[]): string;
  /** A file as a branch has it. */
  fileAt(branch: string, path: string): string | undefined;
}

export async function givenMerges(
  agent: string,
  {
    worktrees,
    ...given
  }: {
    readonly worktrees: object;
    readonly tasks: readonly NewTask[];
    readonly acts?: Readonly<Record<number, readonly (readonly Act[])[]>>;
    readonly config?: object;
  },
): Promise<GivenMerges> {
  const config = { ...given.config, worktrees };
  const loop = await givenLoop(agent, { ...given, config, others: [works("echo x > other.txt")], git: true });
  const at = (folder: string, args: readonly string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const git = (...args: readonly string[]) => at(loop.folder, args);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  writeFileSync(join(loop.folder, "list.txt"), "one\ntwo\nthree\n");
  git("add", "list.txt");
  git("commit", "--quiet", "-m", "A list");
  return {
    ...loop,
    git,
    gitIn: (task, ...args) => at(loop.path(`.ralph/worktrees/task-${task}`), args),
    fileAt(branch, path) {
      try {
        return git("show", `${branch}:${path}`);
      } catch {
        return undefined;
      }
    },
  };
}

/** A session that changes its folder by a shell command, leaves that uncommitted, and is done. */
export function works(shell: string): readonly Act[] {
  return [
    { init: "connected" },
    { shell },
    { call: "done", with: { summary: `Did: ${shell}` } },
    { result: {} },
  ];
}

/** The events of one type, in log order. */
export async function eventsOf(project: Project, type: EventType): Promise<Record<string, unknown>[]> {
  const events = await project.log.read(0, 100_000);
  return events.filter((event) => event.type === type).map(({ payload }) => ({ ...payload }));
}
