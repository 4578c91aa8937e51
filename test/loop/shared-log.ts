import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { HostBeats, HostSign } from "../../src/events/log.ts";
import { ownHost } from "../../src/events/own-host.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";

/*
 * A log that hosts share, as far as one machine can have it: a SQLite log in a folder, signs of life as files beside it, and a clock
 * that tests move. Each host is a folder of its own, with its own host.json and read model.
 */

/** The clock of all hosts is the machine's and so many milliseconds more. */
export function moveClock(shared: string, ms: number): void {
  writeFileSync(join(shared, "clock"), String(clockIn(shared) + ms));
}

/** From now on the host in a folder cannot reach the log; or it can again. */
export function cutOff(folder: string, isCut: boolean): void {
  writeFileSync(join(folder, "cut"), String(isCut));
}

/** Opens the project on a host. */
export function openOn(folder: string, shared: string): Project {
  const readModelPath = join(folder, ".ralph/db/ralph.db");
  mkdirSync(join(folder, ".ralph/db"), { recursive: true });
  const system = systemEnvironment();
  const environment = {
    ...system,
    now: () => system.now() + clockIn(shared) * 1_000,
    elapsed_ms: () => system.elapsed_ms() + clockIn(shared),
  };
  const file = openSqliteLog(join(shared, ".ralph/db/events.db"), environment);
  const log = new Proxy(file, {
    get(target, name) {
      if (name === "hosts") return hosts;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (NEEDS_LOG.has(name)) requireReached(folder);
        return value.apply(target, args);
      };
    },
  });
  const hosts = beatsIn(join(shared, "beats"), folder, () => Date.now() + clockIn(shared));
  return new Project(
    { log, readModel: new ReadModel(readModelPath), environment, ownHost: () => ownHost(readModelPath) },
    "driver",
  );
}

const NEEDS_LOG: ReadonlySet<string | symbol> = new Set(["append", "read", "find", "head", "readStream"]);

/** What PostgreSQL's table of hosts does. */
function beatsIn(beats: string, folder: string, now: () => number): HostBeats {
  const signs = () =>
    readdirSync(beats).map((name): HostSign => {
      const { at, ...sign } = JSON.parse(readFileSync(join(beats, name), "utf8"));
      return { ...sign, silent_ms: now() - at };
    });
  mkdirSync(beats, { recursive: true });
  return {
    async beat(host) {
      requireReached(folder);
      const last = signs().find((sign) => sign.host === host.host);
      if (last && last.epoch > host.epoch) throw new LogError("host_lost", "It has beaten in a later epoch.");
      writeFileSync(join(beats, host.host), JSON.stringify({ ...host, at: now() }));
    },
    async list() {
      requireReached(folder);
      return signs();
    },
  };
}

function requireReached(folder: string): void {
  if (textIn(join(folder, "cut")) === "true") throw new LogError("busy", "The log cannot be reached.");
}

function clockIn(shared: string): number {
  return Number(textIn(join(shared, "clock")));
}

function textIn(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "0";
}
