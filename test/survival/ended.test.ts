import { mkdirSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import type { Child } from "../children.ts";
import { everythingIn, numbers, temporaryFolder } from "../events/given.ts";
import { signalbox } from "../support/cli.ts";
import { copyProject } from "../support/project.ts";
import { campaign, type Figures } from "./campaign.ts";
import { makeFewEvents, makeManyEvents, SESSION } from "./ended-projects.ts";
import {
  call,
  type Ended,
  endOf,
  HELLO,
  parseAnswer,
  startServer,
  startSignalbox,
  toolUse,
} from "./programs.ts";
import { expectWholeProject } from "./whole-project.ts";

/*
 * Catches: an answer before the append, calls that are dropped when the server ends, a read model that is left between
 * two states, a swap in two steps, tables that a rebuild leaves behind for ever.
 */

type Ending = "SIGTERM" | "SIGKILL" | "SIGINT" | "end of input";
const SIGNALS = ["SIGTERM", "SIGKILL", "SIGINT"] as const;

interface Context {
  readonly folder: ReturnType<typeof temporaryFolder>;
  /** Folders of projects that every point copies. */
  readonly few: string;
  readonly many: string;
  /** The content hash of the read model that belongs to the log with many events. */
  readonly manyHash: string;
  /** How many changes of its files a project sees when nothing ends the command. */
  readonly changes: Readonly<Record<keyof typeof COMMANDS, number>>;
}

const COMMANDS = {
  append: ["task", "add", "Import", "--key", "import"],
  catchUp: ["status"],
  rebuild: ["rebuild"],
} as const;

/** Does its program in a project of its own, ends it `part` (0 to 1) of the way, and judges what is left. */
type Trial = (context: Context, db: string, ending: Ending, part: number) => Promise<Figures>;
const TRIALS: readonly (readonly [Trial, Ending])[] = [
  ...([...SIGNALS, "end of input"] as const).map((ending) => [endServer, ending] as const),
  ...SIGNALS.map((ending) => [endAppend, ending] as const),
  ...SIGNALS.map((ending) => [endCatchUp, ending] as const),
  ...SIGNALS.map((ending) => [endRebuild, ending] as const),
];

campaign<Context>({
  line: "ended",
  promise:
    "ended (SIGTERM, SIGKILL, SIGINT, end of input) at every moment of an append, a catch-up, a rebuild, a swap: every acknowledged event is in the log, and after the next start in the read model too",
  small: 26,
  large: 1_000,
  atOnce: 2,
  async open() {
    const folder = temporaryFolder();
    const few = join(folder.path, "few");
    const many = join(folder.path, "many");
    await makeFewEvents(few);
    const manyHash = await makeManyEvents(many);
    const changesOf = async (from: string, command: keyof typeof COMMANDS) => {
      const db = copyOf(folder.path, from, `undisturbed-${command}`);
      const { exitCode, changes } = await runCommand(command, db);
      expect(exitCode).toBe(0);
      return changes;
    };
    const changes = {
      append: await changesOf(few, "append"),
      catchUp: await changesOf(many, "catchUp"),
      rebuild: await changesOf(many, "rebuild"),
    };
    return { folder, few, many, manyHash, changes };
  },
  close: ({ folder }) => folder.remove(),
  async point(number, context) {
    const [trial, ending] = TRIALS[number % TRIALS.length] ?? [endServer, "SIGKILL"];
    // The multiples of the golden ratio are spread evenly over a whole turn, however many of them there are.
    const part = ((Math.floor(number / TRIALS.length) + 1) * 0.618_034) % 1;
    const from = trial === endCatchUp || trial === endRebuild ? context.many : context.few;
    const db = (name: string) => copyOf(context.folder.path, from, `${name}-${number}`);
    const figures = await trial(context, db("point"), ending, part);
    const wasCut = Object.entries(figures).some(([name, count]) => name.endsWith("_cut") && count > 0);
    // On a busy machine the signal may come after the end: then once more, at once.
    return wasCut || ending === "end of input" ? figures : trial(context, db("again"), ending, 0);
  },
  conclude(figures) {
    for (const what of ["calls_cut", "append_cut", "catch_up_cut", "rebuild_cut"]) {
      expect(figures[what], `${what}: programs that were ended before they were done`).toBeGreaterThan(0);
    }
  },
});

/** Copies a project that nobody has open, and gives the path of its read model. */
function copyOf(folder: string, from: string, name: string): string {
  const to = join(folder, name);
  mkdirSync(to);
  copyProject(from, to);
  return readModelPathIn(to);
}

const CALLS = 24;

/** The `number`th call: each leaves one event in the log. */
function callOf(id: number): object {
  if (id % 4 === 0) return call(id, "update_session_state", { sessionId: SESSION, state: "testing" });
  if (id % 4 === 1) return call(id, "done", { summary: `Call ${id}.` });
  return call(id, "learned", { text: `Call ${id}.`, kind: "discovery" });
}

/** A server with all calls under way is ended after some of the answers, or its input after some of the bytes. */
async function endServer(_context: Context, db: string, ending: Ending, part: number): Promise<Figures> {
  const calls = numbers(CALLS);
  const input = [...HELLO, ...calls.map(callOf)].map((message) => `${JSON.stringify(message)}\n`).join("");
  const server = startServer(db, SESSION);
  let ended: Ended;
  if (ending === "end of input") {
    const said = input.slice(0, Math.floor(part * (input.length + 1)));
    server.process.stdin?.end(said);
    ended = await endOf(server);
    expect(ended).toMatchObject({ exitCode: 0 });
    const whole = Math.max(0, said.split("\n").length - 1 - HELLO.length);
    expect(acknowledgedBy(ended), "every call that was there whole is answered").toEqual(
      calls.slice(0, whole),
    );
  } else {
    server.process.stdin?.write(input);
    let before = Math.floor(part * (CALLS + 2));
    if (before === 0) server.process.kill(ending);
    ended = await endOf(server, () => {
      if (--before === 0) server.process.kill(ending);
    });
    const byItself = { exitCode: 0, signal: null };
    const bySignal = { exitCode: null, signal: ending };
    expect([byItself, bySignal]).toContainEqual({ exitCode: ended.exitCode, signal: ended.signal });
    if (ending === "SIGKILL" || ended.lines.length > 0)
      expect(ended).toMatchObject(ending === "SIGKILL" ? bySignal : byItself);
  }
  const events = await afterNextStart(db);
  const recorded = calls.filter((id) => events.some((event) => event.id === idFromKey(SESSION, toolUse(id))));
  const acknowledged = acknowledgedBy(ended);
  if (ending === "SIGKILL") expect(recorded).toEqual(expect.arrayContaining(acknowledged));
  else expect(recorded, "what is not acknowledged is not there").toEqual(acknowledged);
  // Calls are worked on in their order, so what is recorded has no gap.
  expect(recorded).toEqual(numbers(recorded.length));
  await expectWholeProject(db);
  return {
    calls_acknowledged: acknowledged.length,
    calls_recorded: recorded.length,
    calls_cut: acknowledged.length < CALLS ? 1 : 0,
  };
}

/** The ids of the calls to which a server has said yes. */
function acknowledgedBy({ lines }: Ended): number[] {
  return lines.flatMap((line) => {
    const { id = 0, result } = parseAnswer(line) ?? {};
    if (id === 0 || !result) return [];
    expect(result.isError, line).toBeFalsy();
    return [id];
  });
}

/** A command that records something is ended; sent again under its key, it has been done once. */
async function endAppend(context: Context, db: string, ending: Ending, part: number): Promise<Figures> {
  const { lines, exitCode } = await endCommand(context, "append", db, ending, part);
  const tasksIn = (events: readonly Event[]) =>
    events.filter((event) => event.type === "task.created" && event.payload.title === "Import").length;
  const recorded = tasksIn(await afterNextStart(db));
  expect(recorded).toBeLessThanOrEqual(1);
  // The line is printed when the task is recorded, and the process may be ended between the two.
  if (exitCode === 0 || lines.length > 0) expect(recorded).toBe(1);
  expect(await runCommand("append", db)).toMatchObject({ exitCode: 0 });
  expect(tasksIn(await afterNextStart(db)), "tasks after the command was sent again").toBe(1);
  await expectWholeProject(db);
  return { appends_recorded: recorded, append_cut: exitCode === 0 ? 0 : 1 };
}

/** A command that finds half of the log not yet reduced is ended. */
async function endCatchUp(context: Context, db: string, ending: Ending, part: number): Promise<Figures> {
  const before = positionOf(db);
  const { exitCode } = await endCommand(context, "catchUp", db, ending, part);
  const position = positionOf(db);
  const { length } = await afterNextStart(db);
  await expectWholeProject(db, context.manyHash);
  return {
    catch_up_cut: exitCode === 0 ? 0 : 1,
    catch_up_cut_midway: position > before && position < length ? 1 : 0,
  };
}

/** A rebuild, or its swap, is ended; the tables that it leaves behind are gone after the next one. */
async function endRebuild(context: Context, db: string, ending: Ending, part: number): Promise<Figures> {
  const { exitCode } = await endCommand(context, "rebuild", db, ending, part);
  const left = rebuildTablesIn(db).length;
  await afterNextStart(db);
  await expectWholeProject(db, context.manyHash);
  const again = await runCommand("rebuild", db);
  expect(JSON.parse(again.lines.join())).toMatchObject({ content_hash: context.manyHash });
  expect(rebuildTablesIn(db)).toEqual([]);
  return { rebuild_cut: exitCode === 0 ? 0 : 1, rebuild_cut_midway: left > 0 ? 1 : 0 };
}

/** Ends a command when its project has seen a part of the changes that it sees when nothing ends the command. */
async function endCommand(
  { changes }: Context,
  command: keyof typeof COMMANDS,
  db: string,
  ending: Ending,
  part: number,
): Promise<Ended> {
  const ended = await runCommand(command, db, { ending, after: Math.floor(part * changes[command]) });
  expect([0, ending]).toContain(ended.exitCode ?? ended.signal);
  return ended;
}

/** Runs a command and counts the changes in the folder of the project's files, as the system tells of them. */
async function runCommand(
  command: keyof typeof COMMANDS,
  db: string,
  moment?: { readonly ending: Ending; readonly after: number },
): Promise<Ended & { changes: number }> {
  let changes = 0;
  const endNow = (child: Child) => {
    if (moment && changes >= moment.after && moment.ending !== "end of input")
      child.process.kill(moment.ending);
  };
  const watcher = watch(dirname(db), () => {
    changes++;
    endNow(child);
  });
  const child = startSignalbox([...COMMANDS[command], "--json", "--db", db]);
  endNow(child);
  const ended = await endOf(child);
  watcher.close();
  return { ...ended, changes };
}

/** Starts a command that looks at the project; then the read model has come to the head of the log. Gives the log. */
async function afterNextStart(db: string): Promise<readonly Event[]> {
  const ran = await signalbox(["status", "--json", "--db", db]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const log = openSqliteLog(logPathBeside(db), systemEnvironment());
  const events = await everythingIn(log);
  await log.close();
  expect(JSON.parse(ran.stdout)).toMatchObject({ events: events.length, stopped: [] });
  expect(positionOf(db)).toBe(events.length);
  return events;
}

function positionOf(db: string): number {
  const readModel = new ReadModel(db);
  const position = readModel.position();
  readModel.close();
  return position;
}

function rebuildTablesIn(db: string): unknown[] {
  const database = new Database(db, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*__r[0-9]*'")
    .pluck()
    .all();
  database.close();
  return tables;
}
