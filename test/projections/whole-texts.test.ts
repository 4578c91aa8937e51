import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Verb } from "../../src/events/types/signals.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { resolveBlocker } from "../../src/operations/inbox.ts";
import { endSession } from "../../src/operations/sessions.ts";
import { findCard } from "../../src/queries/cards.ts";
import { toldBefore } from "../../src/queries/inbox-context.ts";
import { runningSessions } from "../../src/queries/running-sessions.ts";
import { sessionLine } from "../../src/queries/session-list.ts";
import { BLOCKER, type Given, givenProject, type Said } from "../decisions/given.ts";

/* Catches: texts that end at their first NUL. SQLite's ->> does so before version 3.43, and substr() and length() always. */

const TEXT = "before\0after";
const SIGNALS: Readonly<Record<Verb, Record<string, unknown>>> = {
  done: { summary: TEXT },
  partial: { summary: TEXT, remaining: TEXT },
  stuck: { reason: TEXT },
  ask: { question: TEXT, blocking: true, options: [TEXT, "no"], preferred: TEXT },
  flag: { what: TEXT, severity: "info", category: "bug" },
  learned: { text: TEXT, kind: "discovery", rationale: TEXT },
  suggest: { what: TEXT, kind: "split", why: TEXT },
  blocked: { on: TEXT, kind: "external", detail: TEXT },
};

test("a view returns every signal text in full, even with a NUL", async () => {
  const { store } = await givenSignals();
  const rows = store.readModel.database
    .prepare<[], Record<string, unknown> & { verb: Verb }>(
      "SELECT * FROM task_signals WHERE session_id = 's-2'",
    )
    .all();
  expect(rows.map(({ verb }) => verb)).toEqual(Object.keys(SIGNALS));
  for (const row of rows) {
    const { blocking: _, options, ...texts } = SIGNALS[row.verb];
    expect(row).toMatchObject(texts);
    expect(row.options).toBe(options === undefined ? null : `${TEXT}\nno`);
  }
});

test("queries return texts in full, even with a NUL", async () => {
  const given = await givenSignals();
  const { readModel } = given.store;
  expect(runningSessions(readModel)).toMatchObject([{ session: "s-2", last_text: TEXT }]);
  expect(sessionLine(readModel, "s-2")?.last_signals.map(({ text }) => text)).toEqual([TEXT, TEXT, TEXT]);
  expect(toldBefore(readModel, { id: 0, task: 1 }, 8).map(({ text }) => text)).toEqual(Array(8).fill(TEXT));
  await given.does(
    { session: "s-2", task: 1, verb: "stuck", args: { reason: TEXT } },
    endSession({ session: "s-2", exit: "exited" }),
  );
  expect(sessionLine(readModel, "s-2")?.failure?.reason).toBe(TEXT);
  expect(findCard(readModel, 1)?.blocked_on).toBe(TEXT);
});

test("no view or query uses an SQL function that truncates at a NUL in some SQLite version", () => {
  const files = ["projections", "read-model", "queries"].flatMap((room) =>
    readdirSync(packagePath(join("src", room)), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join("src", room, name)),
  );
  const lines = files.flatMap((name) =>
    readFileSync(packagePath(name), "utf8")
      .split("\n")
      .filter(
        (line) =>
          /->>|\bjson_extract\(|\bsubstr(ing)?\(|\bprintf\(/.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line),
      )
      .map((line) => `${name}: ${line.trim()}`),
  );
  // Times and the names of features, in which no NUL can be.
  expect(
    lines.filter((line) => !/substr\((\$\{eb\.ref\("l\.realm"\)\}, 9|\$\{time\}, \d+, \d+)\)/.test(line)),
  ).toEqual([]);
});

/** A session of task 1 that says each verb once, and is still open. */
async function givenSignals(): Promise<Given> {
  const given = await givenProject();
  const verbs = Object.entries(SIGNALS) as [Verb, Record<string, unknown>][];
  await given.does(
    resolveBlocker({ id: BLOCKER }),
    ...verbs.map(([verb, args]): Said => ({ session: "s-2", task: 1, verb, args })),
  );
  return given;
}
