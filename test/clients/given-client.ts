import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { initProject, openProject, type Project } from "../../src/api/project.ts";
import type { ClientKind } from "../../src/config/schema.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import type { Step } from "../../src/loop/steps.ts";
import { createTask, type NewTask } from "../../src/operations/tasks.ts";
import type { PlanView } from "../../src/queries/plans.ts";
import { makeRepository, stepsOf } from "../loop/given-loop.ts";
import { givenConfig } from "../support/project.ts";
import { type ModelServer, startModelServer, type Tls } from "./model-server.ts";
import { type Act, clientFolder, realClients } from "./real-client.ts";

/** A project whose loop runs a real client, and the model that the client asks. */
export interface GivenClient {
  readonly kind: ClientKind;
  readonly project: Project;
  readonly folder: string;
  readonly model: ModelServer;
  /** Runs `signalbox run` to its end. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs `signalbox plan` to its end: its answer. */
  plan(...args: readonly string[]): Promise<PlanView>;
}

export interface Ran {
  readonly steps: readonly Step[];
  readonly exitCode: number | null;
  readonly stderr: string;
}

export interface GivenSessions {
  readonly tasks?: readonly NewTask[];
  /** What the agent does, by session. */
  readonly sessions: readonly (readonly Act[])[];
  /** What the agent's entry in the configuration has besides. */
  readonly agent?: object;
  readonly config?: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** Absent: the client reaches its model without. */
  readonly tls?: Tls;
}

export async function givenClient(kind: ClientKind, given: GivenSessions): Promise<GivenClient> {
  const client = realClients[kind];
  const turns = given.sessions.map((acts) => acts.map((act) => client.turn(act)));
  const model = await startModelServer(turns, undefined, given.tls);
  onTestFinished(() => model.close());
  const folder = clientFolder(`${kind}-project`);
  await initProject(folder);
  const agent = { kind, command: client.program, permissions: "full", ...given.agent };
  const limits = { backoff_s: 1, after_closing_s: 20 };
  givenConfig(folder, { agent: kind, agents: { [kind]: agent }, limits, ...given.config });
  makeRepository(folder);
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  for (const task of given.tasks ?? [{ title: "Write hello.txt" }]) await project.decide(createTask(task));
  const home = homeOf(kind);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TERM: "xterm-256color",
    ...stateVariables(process.env),
    ...client.environment(home, model.url),
    ...given.environment,
  };
  const start = (...args: readonly string[]) => runCommand(folder, environment, args);
  return {
    ...{ kind, project, folder, model },
    async run(...args) {
      const { stdout, ...ended } = await start("run", ...args);
      const steps: Step[] = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
      return { steps, ...ended };
    },
    async plan(...args) {
      const { stdout, stderr } = await start("plan", ...args);
      if (stdout === "") throw new Error(stderr);
      return JSON.parse(stdout);
    },
  };
}

/** How the last session of a run ended. */
export function lastEnd({ steps, stderr }: Ran) {
  const ended = stepsOf(steps, "session_ended").at(-1);
  if (!ended) throw new Error(`No session ended: ${JSON.stringify(steps)} ${stderr}`);
  return ended;
}

/** One for all tests of a client: the first start in a new home takes long. */
function homeOf(kind: ClientKind): string {
  homes[kind] ??= clientFolder(`${kind}-home`);
  return homes[kind];
}

const homes: Partial<Record<ClientKind, string>> = {};

function runCommand(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<Omit<Ran, "steps"> & { readonly stdout: string }> {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args, "--json"], { cwd, env });
  onTestFinished(() => void child.kill("SIGTERM"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end();
  return new Promise((resolve) => {
    child.once("close", (exitCode) => resolve({ stdout, exitCode, stderr }));
  });
}
