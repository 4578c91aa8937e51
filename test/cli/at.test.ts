import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { trustLogAt } from "../../src/cli/commands/backup.ts";
import { createProgram } from "../../src/cli/program.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { copyLog, restoreLog } from "../../src/events/sqlite-backup.ts";
import { declareGates } from "../../src/operations/gates.ts";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { addLearning } from "../../src/operations/learnings.ts";
import { noteProgress } from "../../src/operations/progress.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox } from "../support/cli.ts";

/** Work on a project without recording, but show nothing that follows from its log at one point: they have no `--at`. */
const OF_THE_PRESENT = [
  "backup",
  "config check",
  "config show",
  "config trust",
  "diff",
  "doctor",
  "driver beat",
  "driver list",
  "driver stop",
  "export",
  "fingerprint",
  "fleet join",
  "fleet leave",
  "fleet move",
  "fleet status",
  "github sync",
  "gitlab sync",
  "health",
  "history export",
  "history import",
  "history make",
  "history show",
  "key make",
  "key show",
  "log trust",
  "mcp",
  "metrics export-traces",
  "notify status",
  "notify test",
  "people adopt",
  "people list",
  "people token list",
  "people token make",
  "people token revoke",
  "prove",
  "rebuild",
  "regenerate",
  "state-files",
  "upgrade",
  "verify",
  "worktree list",
];

/** What stands for a command's arguments, by their names. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  task: "1",
  id: "1",
  session: "s-1",
  name: "general",
};

/** Options without which a command has nothing to show. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { "what-if": ["--stuck-limit", "1"] };

interface Leaf {
  readonly name: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ name: path.join(" "), command }];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

const has = ({ command }: Leaf, option: string) => command.options.some(({ long }) => long === option);
const leaves = leavesOf(await createProgram()).filter((leaf) => has(leaf, "--db"));
/**
 * The head of a log is of its events, not of what follows from them: it has an `--at` of its own, a position. Metrics count what
 * still goes on up to when one looks, which is another moment in a copy: they have a test of their own.
 */
const reading = leaves.filter((leaf) => has(leaf, "--at") && !["head", "metrics show"].includes(leaf.name));

let root: string;
const db = (name: string) => readModelPathIn(join(root, name));
/** The head of the log when the project `then` was copied from the project `now`. */
let middle: number;
let head: number;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  for (const name of ["fresh", "now"]) await initProject(join(root, name));
  const project = await openProject(join(root, "now"));
  await project.decide(createTask({ title: "Export orders" }));
  await project.decide(declareGates({ task: 1, gates: [{ command: "true", max: 5, timeout_s: 60 }] }));
  await project.decide(createTask({ title: "Mail it", depends_on: [1] }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const ask = { question: "Semicolons?", blocking: true, session: "s-1", task: 1 };
  await project.log.append([{ type: "signal.ask", actor: "agent", correlation: "s-1", payload: ask }]);
  await project.decide(
    addLearning({ text: "Orders come sorted by date.", source: "human", kind: "discovery" }),
  );
  middle = await project.log.head();
  await copyLog(logPathBeside(db("now")), join(root, "copy.db"));
  await restoreLog(join(root, "copy.db"), logPathBeside(db("then")));
  await trustLogAt(db("then"), { path: logPathBeside(db("then")) });
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  const [question] = await project.queries.inbox();
  await project.decide(answerQuestion({ id: question?.id ?? 0, answer: "Yes." }));
  await project.decide(noteProgress({ text: "Half of it stands." }));
  await project.decide(setTaskStatus({ task: 2, status: "skipped" }));
  head = await project.log.head();
  await project.close();
  await copyLog(logPathBeside(db("now")), join(root, "whole.db"));
  await restoreLog(join(root, "whole.db"), logPathBeside(db("kept")));
  await trustLogAt(db("kept"), { path: logPathBeside(db("kept")) });
  await printed(["history", "make", "--db", db("kept")]);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a command prints, run in this process: dozens of them would take minutes as processes. */
async function printed(args: readonly string[]) {
  let [out, err] = ["", ""];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  try {
    await (await createProgram()).parseAsync(args, { from: "user" });
    return {
      out: out.replaceAll(root, "").replaceAll(/now|then|kept/g, "PROJECT"),
      err,
      code: process.exitCode ?? 0,
    };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    process.exitCode = 0;
  }
}

function lineOf({ name, command }: Leaf): string[] {
  const required = command.registeredArguments.filter((argument) => argument.required);
  return [
    ...name.split(" "),
    ...required.map((argument) => ARGUMENTS[argument.name()] ?? `no ${argument.name()}`),
    ...(NEEDED[name] ?? []),
  ];
}

test("a command on a project records, takes --at, or is known to show the present alone", () => {
  const left = leaves.filter((leaf) => !has(leaf, "--at") && !has(leaf, "--actor")).map(({ name }) => name);
  expect(left.sort()).toEqual(OF_THE_PRESENT);
  const both = reading.filter((leaf) => has(leaf, "--actor")).map(({ name }) => name);
  // `prompt` can record too; of the log the events of an actor are asked for.
  expect(both).toEqual(["prompt", "log list"]);
  expect(reading.length).toBeGreaterThan(20);
});

test.each(reading.map((leaf) => [leaf.name, leaf] as const))(
  "%s --at a position prints what it printed then",
  async (name, leaf) => {
    const line = [...lineOf(leaf), "--json"];
    const of = (project: string, ...more: string[]) => printed([...line, "--db", db(project), ...more]);
    const then = await of("then");
    expect(await of("now", "--at", String(middle))).toEqual(then);
    expect(await of("kept", "--at", String(middle))).toEqual(then);
    expect(await of("now", "--at", "HEAD")).toEqual(await of("now"));
    const plain = [...lineOf(leaf), "--db"];
    expect(await printed([...plain, db("now"), "--at", `HEAD~${head - middle}`])).toEqual(
      await printed([...plain, db("then")]),
    );
    // On a fresh project too, and before its first event.
    expect(await of("fresh", "--at", "2")).toEqual(await of("fresh"));
    expect((await of("fresh", "--at", "0")).code, name).toBeLessThan(2);
    expect(await of("fresh", "--at", "3")).toMatchObject({ out: "", code: 1 });
  },
);

test("commands that record refuse --at, and a prompt at a past position is not recorded", async () => {
  const cwd = join(root, "now");
  expect(await signalbox(["task", "add", "Late", "--at", "2"], { cwd })).toMatchObject({ exitCode: 2 });
  const prompt = await signalbox(["prompt", "1", "--session", "s-1", "--at", String(middle)], { cwd });
  expect(prompt).toMatchObject({ ...fails(1, "The past cannot be changed"), stdout: "" });
});

test.each([
  ["9999", 1, "the log's head is"],
  ["HEAD~9999", 1, "is before the beginning"],
  ["in 2 hours", 1, "which is in the future"],
  ["someday", 2, '"someday" is not a valid point in the log'],
  ["2026-02-30", 2, '"2026-02-30" is not a valid point in the log'],
  ["-1", 2, "not a valid point"],
])("--at %s exits with %i and says what was wrong", async (at, code, message) => {
  const found = await printed(["task", "list", "--db", db("now"), `--at=${at}`]);
  expect(found).toMatchObject({ out: "", code });
  expect(found.err).toContain(message);
});

test("metrics --at a position count the past state", async () => {
  const sessions = async (...args: string[]) => {
    const { out } = await printed(["metrics", "show", "--json", "--db", db("now"), ...args]);
    return JSON.parse(out).sessions;
  };
  expect(await sessions("--at", "2")).toEqual([]);
  expect(await sessions("--at", String(middle))).toMatchObject([{ sessions: 1, open: 1 }]);
  expect(await sessions()).toMatchObject([{ sessions: 1, open: 0 }]);
});
