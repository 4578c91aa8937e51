import { webcrypto } from "node:crypto";
import type Database from "better-sqlite3";

/** Runs `work` in a time zone; node reads TZ anew whenever it is set. */
export function inTimeZone<T>(zone: string, work: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

/** Runs `work`, which must be synchronous, while whoever asks for the time, for chance or for a language gets an error. */
export function poisoned<T>(work: () => T): T {
  const restore = [
    ...poison(globalThis, ["Date", "Intl"]),
    ...poison(Math, ["random"]),
    ...poison(performance, ["now"]),
    ...poison(webcrypto, ["randomUUID", "getRandomValues"]),
    ...poison(process, ["hrtime", "uptime"]),
    ...poison(String.prototype, ["localeCompare", "toLocaleLowerCase", "toLocaleUpperCase"]),
    ...poison(Number.prototype, ["toLocaleString"]),
    ...poison(Array.prototype, ["toLocaleString"]),
  ];
  try {
    checkPoison();
    return work();
  } finally {
    for (const undo of restore) undo();
  }
}

/** The same for what is asked in SQL. */
export function poisonSql(database: Database.Database): void {
  for (const name of SQL_SURROUNDINGS) {
    database.function(name, { varargs: true, deterministic: false }, () => {
      throw new PoisonError(name);
    });
  }
}

const SQL_SURROUNDINGS = [
  "random",
  "randomblob",
  "date",
  "time",
  "datetime",
  "julianday",
  "unixepoch",
  "strftime",
  "current_date",
  "current_time",
  "current_timestamp",
];

/** Somebody asked for what must have no part in reducing. */
class PoisonError extends Error {}

function poison<Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner & string)[],
): (() => void)[] {
  return names.map((name) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    // Called, constructed or looked into, as Date and Intl are: all of it throws.
    const refuse = () => {
      throw new PoisonError(name);
    };
    const value = new Proxy(function poison() {}, { apply: refuse, construct: refuse, get: refuse });
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    return () => {
      if (before) Object.defineProperty(owner, name, before);
      else Reflect.deleteProperty(owner, name);
    };
  });
}

function checkPoison(): void {
  for (const ask of [() => Date.now(), () => new Date(0), () => Math.random(), () => performance.now()]) {
    try {
      ask();
    } catch {
      continue;
    }
    throw new Error("The surroundings are not poisoned.");
  }
}
