import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { commentAdded } from "../../src/events/types/comments.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { insertForeign } from "../events/foreign-records.ts";
import { temporaryFolder } from "../events/given.ts";
import { signalbox } from "../support/cli.ts";
import { campaign } from "./campaign.ts";
import { call, endOf, HELLO, parseAnswer, startServer, startSignalbox, type ToolAnswer } from "./programs.ts";

/*
 * Catches: an older program that looks whether it may only when it opens a file, writes behind what it cannot read,
 * passes over it, or makes the newer program's tables anew.
 */

const SESSION = "s-1";
const COMMENT = JSON.stringify({ task: 1, author: "human", body: "of a newer program", mood: "good" });

/** What a newer version of the program does to a project that this one then cannot read. */
interface Newer {
  readonly what: string;
  readonly where: "log" | "read model";
  act(db: string): void;
}
const NEWER: readonly Newer[] = [
  {
    what: "gives the log a newer format",
    where: "log",
    act: (db) => raiseFormat(logPathBeside(db)),
  },
  {
    what: "appends an event of a newer schema version",
    where: "log",
    act: (db) =>
      insertForeign(logPathBeside(db), {
        type: "comment.added",
        schemaVersion: commentAdded.version + 1,
        stream: "task-1",
        payload: COMMENT,
      }),
  },
  {
    what: "appends an event of an unknown type",
    where: "log",
    act: (db) =>
      insertForeign(logPathBeside(db), {
        type: "task.dreamt_of",
        schemaVersion: 1,
        stream: "task-1",
        payload: COMMENT,
      }),
  },
  { what: "gives the read model a newer format", where: "read model", act: raiseFormat },
  {
    what: "makes the tables of a projection by newer rules",
    where: "read model",
    act: (db) =>
      inDatabase(db, (database) =>
        database.exec("UPDATE projections SET version = version + 1 WHERE name = 'board'"),
      ),
  },
];

/** When that happens, seen from the older program. */
const MOMENTS = [beforeItStarts, whileItRuns] as const;

campaign({
  line: "two-versions",
  promise: "two versions of the program on one project: the older one stops with the reason",
  small: 10,
  large: 10,
  open() {
    expect(NEWER.length * MOMENTS.length).toBe(10);
  },
  async point(number) {
    const newer = NEWER[Math.floor(number / MOMENTS.length)];
    const moment = MOMENTS[number % MOMENTS.length];
    if (!newer || !moment) throw new Error(`There is no point ${number}.`);
    const folder = temporaryFolder();
    try {
      const db = await makeProject(folder.path);
      await moment(db, newer);
      return {};
    } catch (cause) {
      const reason = cause instanceof Error ? cause.stack : cause;
      throw new Error(`a newer version ${newer.what}, ${moment.name}: ${reason}`, { cause });
    } finally {
      folder.remove();
    }
  },
});

async function makeProject(folder: string): Promise<string> {
  await initProject(folder);
  const project = await openProject(folder);
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: SESSION }));
  await project.close();
  return readModelPathIn(folder);
}

/** Every command and the server stop with the reason, and leave log and tables as the newer program left them. */
async function beforeItStarts(db: string, newer: Newer): Promise<void> {
  newer.act(db);
  const before = contentOf(db);
  for (const command of [["status"], ["task", "add", "Import"], ["log", "list"], ["rebuild"]]) {
    const ran = await signalbox([...command, "--db", db]);
    expect(ran, command.join(" ")).toMatchObject({ exitCode: 3 });
    expect(ran.stderr, command.join(" ")).toMatch(REASON);
  }
  const server = new CalledServer(db);
  try {
    await server.greet();
    await server.expectRefusals();
  } finally {
    await server.kill();
  }
  expect(contentOf(db)).toEqual(before);
}

/** The same, for a server that has recorded something, and for a command that follows the log. */
async function whileItRuns(db: string, newer: Newer): Promise<void> {
  const server = new CalledServer(db);
  const follower = startSignalbox(["log", "list", "--follow", "--json", "--db", db]);
  try {
    await server.greet();
    await server.expectAccepted();
    for (let seen = 0; seen < headOf(db); seen++) await follower.lines.next();
    // What the server reduces a moment after it has answered is no harm done to a newer program's tables.
    while (reducedTo(db) < headOf(db)) await delay(10);
    newer.act(db);
    const before = contentOf(db);
    await server.expectRefusals();
    // A command that follows looks at the log alone.
    if (newer.where === "log") await expect(follower.finish()).rejects.toThrow(REASON);
    expect(contentOf(db)).toEqual(before);
  } finally {
    await server.kill();
    await follower.kill();
  }
}

const REASON = /newer (one|version|signalbox).*update/i;

/** A server, and the client that calls its tools. */
class CalledServer {
  readonly #child: ReturnType<typeof startServer>;
  #calls = 0;

  constructor(db: string) {
    this.#child = startServer(db, SESSION);
  }

  async greet(): Promise<void> {
    for (const message of HELLO) this.#child.tell(JSON.stringify(message));
    await this.#answer();
  }

  async expectAccepted(): Promise<void> {
    for (const [name, args] of CALLS) {
      const answer = await this.#call(name, args);
      expect(answer.result?.isError, `${name}: ${JSON.stringify(answer)}`).toBeFalsy();
    }
  }

  async expectRefusals(): Promise<void> {
    for (const [name, args] of CALLS) {
      const answer = await this.#call(name, args);
      expect(answer.result?.isError, `${name}: ${JSON.stringify(answer)}`).toBe(true);
      expect(answer.result?.content?.[0]?.text, name).toMatch(REASON);
    }
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }

  async #call(name: string, args: object): Promise<ToolAnswer> {
    this.#child.tell(JSON.stringify(call(++this.#calls, name, args)));
    return this.#answer();
  }

  async #answer(): Promise<ToolAnswer> {
    const { value, done } = await this.#child.lines.next();
    const answer = done ? undefined : parseAnswer(value);
    if (!answer) throw new Error(`The server ended unasked: ${JSON.stringify(await endOf(this.#child))}`);
    return answer;
  }
}

const CALLS: readonly (readonly [string, object])[] = [
  ["learned", { text: "Semicolons.", kind: "discovery" }],
  ["update_session_state", { sessionId: SESSION, state: "testing" }],
  ["done", { summary: "It is exported." }],
];

/** Every row of the log and of the read model, and the formats of their files. */
function contentOf(db: string): unknown {
  return [logPathBeside(db), db].map((path) =>
    inDatabase(path, (database) => {
      const tables = database
        .prepare<[], string>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'",
        )
        .pluck()
        .all();
      const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).all()]);
      return { version: database.pragma("user_version", { simple: true }), rows };
    }),
  );
}

function headOf(db: string): number {
  return inDatabase(logPathBeside(db), (database) =>
    Number(database.prepare("SELECT max(position) FROM events").pluck().get()),
  );
}

function reducedTo(db: string): number {
  return inDatabase(db, (database) =>
    Number(database.prepare("SELECT min(position) FROM projections").pluck().get()),
  );
}

function raiseFormat(path: string): void {
  inDatabase(path, (database) => {
    const version = Number(database.pragma("user_version", { simple: true }));
    database.pragma(`user_version = ${version + 100}`);
  });
}

function inDatabase<T>(path: string, work: (database: Database.Database) => T): T {
  const database = new Database(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
