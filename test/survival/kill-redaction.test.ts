import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openForReading } from "../../src/events/sqlite-file.ts";
import { prepareReader } from "../../src/events/sqlite-records.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { temporaryFolder } from "../events/given.ts";
import { verifyLog } from "../support/audited-files.ts";
import { signalbox } from "../support/cli.ts";
import { copyProject } from "../support/project.ts";
import { filesWithSecret, givenSecrets, redactAt, SECRET, SECRETS } from "../support/secrets.ts";
import { campaign } from "./campaign.ts";
import {
  filesOfLog,
  filesOfReadModel,
  recordCalls,
  SHAPES,
  SYNCS,
  type SystemCall,
  spreadOver,
  startKilledAt,
  WRITES,
} from "./system-calls.ts";

/*
 * Catches: a payload that goes in another transaction than its redaction comes, a file that is cleaned only the first time, a kill
 * after which neither the old payload is there nor its redaction. A call at whose entry the program is killed was not made.
 */
campaign({
  line: "kill-redaction",
  promise: "killed at any moment it has happened or not, and once more makes it whole",
  small: 8,
  large: 400,
  needs: ["strace"],
  atOnce: 2,
  async open() {
    const folder = temporaryFolder();
    const prepared = join(folder.path, "prepared");
    mkdirSync(prepared);
    await givenSecrets(prepared);
    for (const position of SECRETS.slice(1)) await redactAt(prepared, position);
    await signalbox(["history", "make"], { cwd: prepared });
    const prompt = promptIn(prepared);
    mkdirSync(dirname(prompt), { recursive: true });
    writeFileSync(prompt, `> Use ${SECRET} for it\n`);
    const copyTo = (name: string) => {
      const copy = join(folder.path, name);
      copyProject(prepared, copy);
      return copy;
    };
    const recorded = copyTo("recorded");
    const trace = join(folder.path, "trace");
    const calls = await recordCalls(NAMES, filesOf(recorded), trace, commandIn(recorded));
    return { folder, copyTo, calls };
  },
  close: ({ folder }) => folder.remove(),
  async point(number, { copyTo, calls }) {
    const turn = number % TURNS.length;
    const own = TURNS[turn]?.(calls) ?? [];
    const call = own[spreadOver(own.length, number)];
    if (!call) throw new Error(`There is no call for turn ${turn}.`);
    const cwd = copyTo(String(number));
    try {
      const killed = await killAt(call, cwd, `${cwd}.trace`);
      const isRecorded = isRedacted(cwd);
      expect((await redactAt(cwd, POSITION)).exitCode).toBe(isRecorded ? 1 : 0);
      expect(isRedacted(cwd)).toBe(true);
      expect(filesWithSecret(cwd)).toEqual([]);
      expect((await verifyLog(logPathBeside(readModelPathIn(cwd)))).damage).toBeUndefined();
      return { killed, [isRecorded ? "redacted" : "not_redacted"]: 1, [`killed at ${call.name}`]: killed };
    } catch (error) {
      throw new Error(`killed at ${call.name} ${call.nth}: ${error}`, { cause: error });
    }
  },
  conclude({ killed = 0, redacted = 0, not_redacted = 0 }, points) {
    expect(killed).toBe(points);
    expect(redacted).toBeGreaterThan(0);
    expect(not_redacted).toBeGreaterThan(0);
  },
});

/** Of the task, the one event that has the secret still. */
const POSITION = 3;

/** The event is in the log after some 40 calls; some 1,000 more clean what follows from it. */
const EARLY = 60;

type Choice = (calls: readonly SystemCall[]) => readonly SystemCall[];
const early: Choice = (calls) => calls.slice(0, EARLY);
const late =
  (kind: readonly string[]): Choice =>
  (calls) =>
    calls.slice(EARLY).filter(({ name }) => kind.includes(name));
/** The calls of which a point takes one, in turns. */
const TURNS: readonly Choice[] = [early, late(WRITES), early, late([...SYNCS, ...SHAPES])];
const NAMES = [...WRITES, ...SYNCS, ...SHAPES];

const promptIn = (cwd: string) => join(cwd, ".ralph/run/s-1/prompt.md");

/** What a redaction changes, and no file that the program is loaded from. */
function filesOf(cwd: string): string[] {
  const readModelPath = readModelPathIn(cwd);
  const others = ["progress.txt", "learnings.txt", "snapshots/11.snapshot"];
  return [
    ...filesOfLog(readModelPath),
    ...filesOfReadModel(readModelPath),
    promptIn(cwd),
    ...others.map((name) => join(cwd, ".ralph", name)),
  ];
}

function commandIn(cwd: string): readonly string[] {
  const project = ["--db", readModelPathIn(cwd)];
  return [packagePath("bin/signalbox.js"), "redact", String(POSITION), "--reason", "a live key", ...project];
}

/** @returns 1 if the kill reached the program; else it came to its end */
async function killAt(call: SystemCall, cwd: string, tracePath: string): Promise<0 | 1> {
  const child = startKilledAt(call, filesOf(cwd), tracePath, commandIn(cwd));
  await once(child.process, "close");
  return child.process.signalCode === "SIGKILL" ? 1 : 0;
}

/** Whether the redaction is in the log; the event itself must be as that says: whole, or without its words. */
function isRedacted(cwd: string): boolean {
  const database = openForReading(logPathBeside(readModelPathIn(cwd)));
  try {
    const records = prepareReader(database).page(0, 100);
    const record = records[POSITION - 1];
    const by = records.find(
      ({ type, payload }) => type === "event.redacted" && JSON.parse(payload).position === POSITION,
    );
    expect(record?.redaction?.position).toBe(by?.position);
    expect(record?.payload.includes(SECRET)).toBe(by === undefined);
    return by !== undefined;
  } finally {
    database.close();
  }
}
