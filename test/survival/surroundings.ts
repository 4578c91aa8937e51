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
    const look = (_: object, part: string | symbol) =>
      name === "Date" && part === "parse" ? parseInUtc : refuse();
    const value = new Proxy(function poison() {}, { apply: refuse, construct: refuse, get: look });
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    return () => {
      if (before) Object.defineProperty(owner, name, before);
      else Reflect.deleteProperty(owner, name);
    };
  });
}

/** A time in UTC is the same everywhere and always: to read one asks for nothing. */
function parseInUtc(text: string): number {
  if (!text.endsWith("Z")) throw new PoisonError("Date.parse of a time in no zone");
  return parse(text);
}

const { parse } = Date;

function checkPoison(): void {
  const asked = [() => Date.now(), () => new Date(0), () => Date.parse("2026-02-11"), () => Math.random()];
  for (const ask of [...asked, () => performance.now()]) {
    try {
      ask();
    } catch {
      continue;
    }
    throw new Error("The surroundings are not poisoned.");
  }
}
