// @module-tag postgresql
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openProject, prepareFolder } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { type LogLocation, logPathBeside } from "../../src/events/log-location.ts";
import { openLog } from "../../src/events/open-log.ts";
import { movedFrom } from "../../src/events/sqlite-moved.ts";
import { readTree } from "../../src/history/audit/tree.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { joinFleet } from "../../src/outside/fleet/join.ts";
import { leaveFleet } from "../../src/outside/fleet/leave.ts";
import { moveToFleet } from "../../src/outside/fleet/move.ts";
import { comment, comments, everythingIn } from "../events/given.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { recordCalls, type SystemCall, spreadOver, startKilledAt } from "../survival/system-calls.ts";
import { givenLog, openForTest } from "./given-postgres.ts";

/* Catches: a moment at which a killed leave loses an event, doubles one, lets two logs take appends, or cannot be run again. */

const environment = systemEnvironment();
const HANDLES = 4;
/** Of the calls besides the renames: they make files durable, and take names away. */
const OTHER_POINTS = process.env.SIGNALBOX_LONG ? 40 : 8;

test("leave, killed anywhere, run again", { tags: "strace" }, async () => {
  const calls = await callsOfLeaving();
  const renames = calls.filter(({ name }) => name === "rename");
  const others = calls.filter(({ name }) => name !== "rename");
  const chosen = Array.from({ length: OTHER_POINTS }, (_, k) => others[spreadOver(others.length, k)]);
  const found = new Map<string, number>();
  for (const [index, call] of [...renames, ...chosen].entries()) {
    if (!call) throw new Error("There is no such call.");
    try {
      const state = await killedAt(call, call.name === "rename" || index % 2 === 0);
      found.set(state, (found.get(state) ?? 0) + 1);
    } catch (error) {
      throw new Error(`killed at ${call.name} ${call.nth}: ${error}`, { cause: error });
    }
  }
  expect([...found.keys()].sort()).toEqual([
    "ended at the server, and not in the file yet",
    "in its file",
    "in its file, and not in the configuration yet",
    "on the server",
  ]);
});

async function callsOfLeaving(): Promise<SystemCall[]> {
  const { db } = await givenShared(true);
  const trace = join(freshFolder(), "trace");
  return recordCalls(["rename", "fsync", "fdatasync", "unlink"], [], trace, leaving(db));
}

function leaving(db: string): readonly string[] {
  return [packagePath("bin/signalbox.js"), "fleet", "leave", "--db", db];
}

/** @param hadFile false: the folder joined, and never had a log of its own */
async function givenShared(hadFile: boolean): Promise<{ folder: string; db: string; url: string }> {
  const { project, folder, db } = await freshProject();
  await project.log.append(comments(100));
  await project.close();
  const url = await givenLog();
  await moveToFleet(db, url, environment);
  if (hadFile) return { folder, db, url };
  const other = freshFolder();
  await joinFleet(prepareFolder(other), url, environment);
  return { folder: other, db: prepareFolder(other), url };
}

/** Kills a leave at a call while others append, checks what it left behind, and runs it again. @returns the state after the kill */
async function killedAt(call: SystemCall, hadFile: boolean): Promise<string> {
  const { folder, db, url } = await givenShared(hadFile);
  const path = logPathBeside(db);
  const logs = await Promise.all(Array.from({ length: HANDLES }, () => openForTest(url)));
  const acknowledged: string[] = [];
  const appending = logs.map((log) => appendUntilMoved(log, acknowledged));
  const child = startKilledAt(call, [], join(freshFolder(), "trace"), leaving(db));
  await once(child.process, "close");

  const atServer = await take({ url }, acknowledged);
  const inFile = existsSync(path) && movedFrom(path) === undefined && (await take({ path }, acknowledged));
  expect([atServer, inFile]).not.toEqual([true, true]);
  const isConfigured = await opens(folder);
  const left = await leaveFleet(db, undefined, environment);

  await Promise.all(appending);
  const file = await openLog({ path }, environment);
  try {
    const ids = (await everythingIn(file)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    const server = await openForTest(url, { readsMoved: true });
    const there = await readTree(server);
    expect((await readTree(file, [there.events])).roots.get(there.events)).toEqual(
      there.roots.get(there.events),
    );
    expect(await file.records(0, 10)).toEqual(await server.records(0, 10));
    expect(left.events).toBe(ids.length);
  } finally {
    await file.close();
  }
  const project = await openProject(folder);
  await project.decide(createTask({ title: "At home" })).finally(() => project.close());
  expect(readdirSync(dirname(path)).filter((name) => /^events\.db\.[0-9a-f]/.test(name))).toEqual([]);
  if (atServer) return "on the server";
  if (!inFile) return "ended at the server, and not in the file yet";
  return isConfigured ? "in its file" : "in its file, and not in the configuration yet";
}

async function appendUntilMoved(log: EventLog, acknowledged: string[]): Promise<void> {
  try {
    for (;;) {
      const { events } = await log.append([comment("meanwhile")]);
      acknowledged.push(...events.map(({ id }) => id));
    }
  } catch (error) {
    expect(error).toMatchObject({ code: "moved_to" });
  }
}

/** Whether a log takes an append. */
async function take(location: LogLocation, acknowledged: string[]): Promise<boolean> {
  try {
    const log = await openLog(location, environment);
    const { events } = await log.append([comment("after the kill")]).finally(() => log.close());
    acknowledged.push(...events.map(({ id }) => id));
    return true;
  } catch (error) {
    if (error instanceof LogError && error.code === "moved_to") return false;
    throw error;
  }
}

/** Whether the folder's own programs find a log that goes on. */
async function opens(folder: string): Promise<boolean> {
  try {
    await (await openProject(folder)).close();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "moved_to" });
    return false;
  }
}
