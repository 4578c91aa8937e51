import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { configPathOf } from "../../src/config/config-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import type { Step } from "../../src/loop/steps.ts";
import { createTask } from "../../src/operations/tasks.ts";
import type { Act, Script } from "../loop/script.ts";
import type { Batch, Session } from "./corpus.ts";
import { PREAMBLE } from "./kinds.ts";
import { type Shape, wordsOf } from "./shapes.ts";

/** What became of one session. */
export interface Outcome extends Session {
  readonly shape: Shape;
  /** `stood`: the done counted, and nobody was asked. `broken`: its script failed before it said anything. */
  readonly result: "stood" | "refused" | "asked" | "broken";
  /** Why not, in the program's words. */
  readonly why: readonly string[];
  /** True: the base has what the session made. */
  readonly landed: boolean;
}

export interface With {
  /** The path of `bin/signalbox.js`. */
  readonly program: string;
  /** The path of the bundled stand-in. */
  readonly agent: string;
  /** How many sessions run at once. */
  readonly jobs: number;
}

/** Runs the sessions of one repository by the built program's loop, each a task with a worktree of its own. */
export async function runBatch(batch: Batch, { program, agent, jobs }: With): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-liars-"));
  try {
    await setUp(folder, batch, agent);
    const steps = await loop(folder, program, jobs);
    const project = await openProject(folder);
    const inbox = await Promise.resolve(project.queries.inbox({})).finally(() => project.close());
    return batch.sessions.map((session, at) => {
      const task = at + 1;
      const waits = inbox
        .filter((item) => item.task === task)
        .map(({ kind, detail }) => `${kind}: ${detail}`);
      return {
        ...session,
        shape: batch.shape,
        ...judge(task, steps, waits),
        landed: hasLanded(folder, session.n),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function setUp(folder: string, { shape, sessions, baseline }: Batch, agent: string): Promise<void> {
  await initProject(folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const files = [shape.files, ...sessions.map(({ n }) => shape.part(n).contents)];
  for (const [path, text] of files.flatMap(Object.entries)) write(path, text);
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["config", "user.name", "Ada"],
    ["config", "user.email", "ada@example.org"],
    ["add", "."],
    ["commit", "--quiet", "--message=Begin"],
  ])
    execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  const script: Script = {
    ...{ journal: join(folder, ".ralph/journal"), atWork: join(folder, ".ralph/at-work"), others: [] },
    tasks: Object.fromEntries(
      sessions.map((session, at) => [at + 1, [acts(session, shape, folder), GIVE_UP]]),
    ),
  };
  write(".ralph/script.json", JSON.stringify(script));
  const config = {
    agent: "stand-in",
    agents: {
      "stand-in": {
        kind: "command",
        command: `${process.execPath} ${agent} ${folder}/.ralph/script.json {mcp_config}`,
      },
    },
    worktrees: { base: "main", integrate: "auto" },
    gates: { baseline },
  };
  writeFileSync(configPathOf(readModelPathIn(folder)), JSON.stringify(config));
  confirmConfig(inspectConfig(readModelPathIn(folder)));
  const project = await openProject(folder);
  for (const { n, kind } of sessions) {
    const command = kind.gate === "tests" ? shape.gate : kind.gate?.command.replaceAll("$N", String(n));
    const gates = command === undefined ? [] : [{ command, max: 2, timeout_s: 120 }];
    await project.decide(createTask({ title: `Session ${n}`, gates }));
  }
  await project.close();
}

/** What an agent does that is sent to a task again: the first session is judged. */
const GIVE_UP: readonly Act[] = [
  { init: "connected" },
  { call: "ask", with: { question: "What now?", blocking: true } },
  { call: "stuck", with: { reason: "I do not know." } },
  { result: {} },
];

function acts({ n, kind }: Session, shape: Shape, root: string): Act[] {
  const words = wordsOf(shape, n, root);
  const shell = (script: string): Act => ({ shell: `${words}${PREAMBLE}${script}` });
  const done: Act = { call: "done", with: { summary: `Session ${n} is done.` } };
  return [
    { init: "connected" },
    shell(kind.does),
    done,
    ...(kind.mends === undefined ? [] : [shell(kind.mends), done]),
    ...(kind.after === undefined ? [] : [shell(kind.after)]),
    { result: {} },
  ];
}

async function loop(folder: string, program: string, jobs: number): Promise<Step[]> {
  const child = spawn(process.execPath, [program, "run", "--json", "--jobs", String(jobs)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const [code] = await once(child, "close");
  const steps: Step[] = output.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  // A loop that did not come to its end has judged nothing.
  if (steps.at(-1)?.step !== "loop_stopped") throw new Error(`The loop ended with ${code}: ${complaints}`);
  return steps;
}

function judge(
  task: number,
  steps: readonly Step[],
  waits: readonly string[],
): Pick<Outcome, "result" | "why"> {
  const first = steps.find((step) => step.step === "session_ended" && step.task === task);
  if (first?.step !== "session_ended" || first.closing !== "done")
    return {
      result: "broken",
      why: [JSON.stringify(first ?? steps.filter((step) => "task" in step && step.task === task))],
    };
  const { unverified, findings } = first;
  if (unverified.length > 0) return { result: "refused", why: unverified };
  // Asked by the session's end, or by the merge queue.
  const merges = steps.flatMap((step) =>
    step.step === "merge_ended" && step.task === task && step.state !== "landed"
      ? [`merge ${step.state}: ${step.reason ?? step.files.join(", ")}`]
      : [],
  );
  if (first.status !== "done" || waits.length > 0)
    return { result: "asked", why: [...findings, ...waits, ...merges] };
  return { result: "stood", why: findings };
}

function hasLanded(folder: string, n: number): boolean {
  try {
    execFileSync("git", ["grep", "-qw", `work-${n}`, "main"], { cwd: folder, stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}
