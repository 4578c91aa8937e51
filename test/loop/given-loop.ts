import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../src/api/project.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import type { Step } from "../../src/loop/steps.ts";
import { createTask, type NewTask } from "../../src/operations/tasks.ts";
import { type Child, startProcess } from "../children.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject, givenConfig } from "../support/project.ts";
import type { Act, Script } from "./script.ts";

/** A project with tasks, and a stand-in agent that does what a script says. */
export interface GivenLoop {
  readonly project: Project;
  readonly folder: string;
  readonly db: string;
  /** A path in the project's folder. */
  path(name: string): string;
  /** Runs `signalbox run` to its end. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Starts it, for whoever wants to interfere. */
  start(...args: readonly string[]): Child;
  /** Tasks that two agents were at work on at the same time. */
  twice(): string[];
  /** Every agent that was started so far, in that order. */
  started(): { readonly task: number; readonly session: string; readonly pid: number }[];
}

interface Ran {
  readonly steps: readonly Step[];
  readonly exitCode: number | null;
  readonly stderr: string;
}

/**
 * @param agent the path of the bundled stand-in (`useBundle("test/loop/children/stand-in-agent.ts")`)
 */
export async function givenLoop(
  agent: string,
  given: {
    readonly tasks: readonly NewTask[];
    /** By task: the acts of its sessions. */
    readonly acts?: Readonly<Record<number, readonly (readonly Act[])[]>>;
    /** For tasks that have none of their own. */
    readonly others?: readonly (readonly Act[])[];
    /** What `.ralph/config.json` has besides the agent. */
    readonly config?: object;
    /** True: the project is a git repository. */
    readonly git?: boolean;
  },
): Promise<GivenLoop> {
  const { project, folder, db } = await freshProject();
  const path = (name: string) => join(folder, name);
  const journal = path(".ralph/journal");
  const script: Script = {
    journal,
    atWork: path(".ralph/at-work"),
    tasks: given.acts ?? {},
    others: given.others ?? [],
  };
  writeFileSync(path(".ralph/script.json"), JSON.stringify(script));
  const command = [process.execPath, agent, path(".ralph/script.json"), "{mcp_config}", "{model}"].join(" ");
  const { limits, ...others } = { limits: {}, ...given.config };
  const config = { ...others, limits: { backoff_s: 1, backoff_most_s: 1, ...limits } };
  const agents = { "stand-in": { kind: "command", command } };
  givenConfig(folder, { agent: "stand-in", agents, ...config });
  if (given.git) makeRepository(folder);
  for (const task of given.tasks) await project.decide(createTask(task));

  const start = (...args: readonly string[]) =>
    startProcess(process.execPath, [packagePath("bin/signalbox.js"), "run", "--json", "--db", db, ...args]);
  return {
    project,
    folder,
    db,
    path,
    start,
    async run(...args) {
      const { stdout, stderr, exitCode } = await signalbox(["run", "--json", "--db", db, ...args], {
        env: process.env,
      });
      const steps = stdout.split("\n").filter((line) => line !== "");
      return { steps: steps.map((line) => JSON.parse(line)), exitCode, stderr };
    },
    twice: () => (existsSync(path(".ralph/at-work/twice")) ? linesIn(path(".ralph/at-work/twice")) : []),
    started: () => (existsSync(journal) ? linesIn(journal).map((line) => JSON.parse(line)) : []),
  };
}

/** What a loop's steps of one kind say. */
export function stepsOf<Kind extends Step["step"]>(
  steps: readonly Step[],
  kind: Kind,
): Extract<Step, { step: Kind }>[] {
  return steps.filter((step): step is Extract<Step, { step: Kind }> => step.step === kind);
}

export async function statuses({ queries }: Project): Promise<Record<number, string>> {
  return Object.fromEntries((await queries.tasks()).map(({ id, status }) => [id, status]));
}

function linesIn(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

export function makeRepository(folder: string): void {
  writeFileSync(join(folder, ".gitignore"), ".ralph/\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  git("add", ".gitignore");
  git("commit", "--message=Begin");
}
