import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { useBundle } from "../children.ts";
import { temporaryFolder } from "../events/given.ts";
import { copyProject } from "../support/project.ts";
import { campaign } from "./campaign.ts";
import { type Acknowledged, closedProject, unfinishedProject } from "./prepared-projects.ts";
import { type Reported, repeatableBatch } from "./repeatable-batch.ts";
import { checkStore } from "./store-check.ts";
import {
  filesOfLog,
  filesOfReadModel,
  injectedIn,
  READS,
  recordCalls,
  SHAPES,
  SYNCS,
  type SystemCall,
  spreadOver,
  startFailingAt,
  WRITES,
} from "./system-calls.ts";

/*
 * Catches: an error of the disk that reaches the caller as it came from SQLite, an acknowledgement of what the disk
 * refused, a handle that is used on after a failed sync, a batch that is there twice after it was sent again.
 */
const { path: script } = useBundle("test/survival/children/work-under-faults.ts");

const FILES = { "the log": filesOfLog, "the read model": filesOfReadModel };
type Files = keyof typeof FILES;
const ON: readonly Files[] = ["the log", "the read model"];
const FAULTS: readonly { readonly calls: readonly string[]; readonly error: string }[] = [
  { calls: READS, error: "EIO" },
  { calls: WRITES, error: "ENOSPC" },
  { calls: SYNCS, error: "EIO" },
  { calls: WRITES, error: "EIO" },
  { calls: SHAPES, error: "ENOSPC" },
  { calls: READS, error: "EIO" },
  { calls: SYNCS, error: "ENOSPC" },
  { calls: SHAPES, error: "EIO" },
];
const NAMES = [...new Set(FAULTS.flatMap(({ calls }) => calls))];
/** How many calls in a row fail. */
const LASTING = [1, 1, 4, 30];
const BATCHES = 8;

campaign({
  line: "io-errors",
  promise:
    "EIO and ENOSPC at each Nth read, write, fsync, truncate: a typed error, nothing acknowledged that is not there, the handle closed and opened again, service goes on",
  small: 24,
  large: 500,
  needs: ["strace"],
  atOnce: 2,
  open: prepareStarts,
  close: ({ remove }) => remove(),
  async point(number, { starts }) {
    const on = ON[number % ON.length] ?? "the log";
    const round = Math.floor(number / ON.length);
    const { calls: kind, error } = FAULTS[round % FAULTS.length] ?? { calls: [], error: "" };
    const k = Math.floor(round / FAULTS.length);
    const start = starts[(round + k) % starts.length];
    const times = LASTING[(number + k) % LASTING.length] ?? 1;
    const calls = start?.calls[on].filter(({ name }) => kind.includes(name)) ?? [];
    const call = calls[spreadOver(calls.length, k)];
    if (!start || !call) throw new Error(`${start?.name}: there is no call of ${kind.join(", ")} on ${on}.`);

    const folder = temporaryFolder();
    try {
      const path = start.copyTo(join(folder.path, "db"));
      const trace = join(folder.path, "trace");
      const arguments_ = [script, path, "child", ...(k % 2 === 1 ? ["--abandon"] : [])];
      const child = startFailingAt(call, error, times, FILES[on](path), trace, arguments_);
      const reported: Reported[] = (await child.finish()).map((line) => JSON.parse(line));
      const failures = reported.flatMap((line) => ("failed" in line ? [line] : []));
      for (const failure of failures) expect(kindOf(failure), failure.message).toMatch(expectedOf(on, kind));
      const acknowledged = new Map(start.acknowledged);
      for (const line of reported) {
        if ("acknowledged" in line) acknowledged.set(`child-${line.acknowledged}`, line.positions);
      }
      await sendAgain(path, acknowledged);
      await checkStore(path, acknowledged);
      return {
        injected: injectedIn(trace),
        reached: Math.min(1, injectedIn(trace)),
        errors: failures.length,
      };
    } catch (cause) {
      const fault = `${error} at ${call.name} ${call.nth}, ${times} times, on ${on}`;
      throw new Error(`${start.name}: ${fault}: ${cause}`, { cause });
    } finally {
      folder.remove();
    }
  },
  conclude({ reached = 0, errors = 0 }, points) {
    expect(reached).toBeGreaterThanOrEqual(points * 0.95);
    expect(errors).toBeGreaterThanOrEqual(points / 4);
  },
});

/**
 * What a caller may be told. SQLite takes a file that cannot be read for a damaged one.
 */
function expectedOf(on: Files, kind: readonly string[]): RegExp {
  const reading = kind === READS;
  return on === "the log"
    ? new RegExp(`^(open|append|read|reduce): LogError (disk|commit_unknown${reading ? "|damaged" : ""})$`)
    : new RegExp(`^reduce: ReadModelError (unusable${reading ? "|damaged" : ""})`);
}

function kindOf({ failed, error, code }: Extract<Reported, { failed: string }>): string {
  return `${failed}: ${error} ${code}`;
}

/** Sends every batch once more: what was acknowledged is known under its positions, what was not is taken now. */
async function sendAgain(path: string, acknowledged: Map<string, readonly number[]>): Promise<void> {
  const log = openSqliteLog(logPathBeside(path), systemEnvironment());
  try {
    for (let number = 1; number <= BATCHES; number++) {
      const { outcome, events } = await log.append(repeatableBatch("child", number));
      const positions = events.map(({ position }) => position);
      const before = acknowledged.get(`child-${number}`);
      if (before) expect({ outcome, positions }).toEqual({ outcome: "appended_before", positions: before });
      acknowledged.set(`child-${number}`, positions);
    }
  } finally {
    await log.close();
  }
}

/** Files to start from, and the calls that the child makes there when nothing fails. */
interface Start {
  readonly name: string;
  readonly acknowledged: Acknowledged;
  readonly calls: Readonly<Record<Files, readonly SystemCall[]>>;
  copyTo(folder: string): string;
}

async function prepareStarts(): Promise<{ readonly starts: readonly Start[]; remove(): void }> {
  const folder = temporaryFolder();
  const prepared = async (name: string, prepare: (path: string) => Promise<Acknowledged>): Promise<Start> => {
    const origin = join(folder.path, name);
    mkdirSync(origin);
    const acknowledged = await prepare(join(origin, "ralph.db"));
    const copyTo = (target: string) => {
      copyProject(origin, target);
      return join(target, "ralph.db");
    };
    const record = (on: Files) => {
      const path = copyTo(join(folder.path, `${name}, recorded for ${on}`));
      const trace = join(folder.path, `${name}, ${on}.trace`);
      return recordCalls(NAMES, FILES[on](path), trace, [script, path, "child"]);
    };
    const calls = { "the log": await record("the log"), "the read model": await record("the read model") };
    return { name, acknowledged, calls, copyTo };
  };
  const starts = [
    await prepared("a project with history", closedProject),
    await prepared("before a checkpoint", (path) => unfinishedProject(path, 975)),
  ];
  return { starts, remove: folder.remove };
}
