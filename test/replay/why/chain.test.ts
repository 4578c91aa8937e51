import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { EventLog } from "../../../src/events/log.ts";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { RULES, STATUS_RULES } from "../../../src/history/why/rules.ts";
import { whyTask } from "../../../src/history/why/task.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../../events/given.ts";
import {
  answered,
  ask,
  created,
  ended,
  partial,
  started,
  stuck,
  stuckLimit,
} from "../../projections/board/history.ts";
import { histories } from "../../properties/commands.ts";
import { execute, openMemoryStore } from "../../properties/executor.ts";
import { runs } from "../../properties/runs.ts";

async function given(...history: readonly Draft[]): Promise<{ readModel: ReadModel; log: EventLog }> {
  const log = openMemoryLog(environmentAt({ now: NOON }, "why"));
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  await log.append(history);
  await catchUp(readModel, log);
  return { readModel, log };
}

test("every rule that the board can write has a sentence, and its place is in rules.md", () => {
  const written = readdirSync(packagePath("src/projections/board"))
    .filter((file) => file !== "status-rules.ts")
    .flatMap((file) => [
      ...readFileSync(packagePath(`src/projections/board/${file}`), "utf8").matchAll(
        /rule: ["`]([^"`]+)["`]/g,
      ),
    ])
    .map(([, rule = ""]) => rule.replace("$" + "{state}", "approved"));
  expect(written.length).toBeGreaterThan(15);
  expect(written.filter((rule) => !Object.hasOwn(STATUS_RULES, rule))).toEqual([]);
  const page = readFileSync(packagePath("docs/rules.md"), "utf8");
  for (const { section, step } of [
    ...Object.values(STATUS_RULES),
    ...Object.values<{ section: string; step?: string }>(RULES),
  ]) {
    const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0];
    expect(text, section).toBeDefined();
    const [, number, letter] = /^(\d+)([a-d]?)$/.exec(step ?? "") ?? [];
    if (number) expect(text).toMatch(new RegExp(`^${number}\\. `, "m"));
    if (letter) expect(text).toMatch(new RegExp(`^ +${letter}\\. `, "m"));
    if (step !== undefined && !number) expect(text).toContain(`| ${step}`);
  }
});

test("an answered question leads back over the answer, the session's end and the ask to when the task was added", async () => {
  const { readModel, log } = await given(created(1), started(), ask(), partial(), ended(), {
    ...answered(3),
    actor: "Ada",
  });
  const reasons = await whyTask(readModel, log, 1);
  expect(reasons?.because.map(({ from, to, rule, causes }) => [from, to, rule, causes])).toEqual([
    ["needs_input", "pending", "settlement 7d", [6]],
    ["in_progress", "needs_input", "settlement 7b", [3, 4, 5]],
    ["pending", "in_progress", "sessions: start", [2]],
    [null, "pending", "created", [1]],
  ]);
  expect(reasons?.events.map(({ position, actor, session: of }) => [position, actor, of])).toEqual([
    [1, "human", null],
    [2, "driver", "s-1"],
    [3, "agent", "s-1"],
    [4, "agent", "s-1"],
    [5, "driver", "s-1"],
    [6, "Ada", null],
  ]);
  expect(reasons?.next).toEqual([
    {
      what: "A session starts on it: it is ready, and next in line.",
      command: "signalbox session start 1",
      events: [],
    },
  ]);
});

test("a task that failed names each report that was counted, and the limit that held then", async () => {
  const { readModel, log } = await given(
    created(1),
    stuckLimit(2),
    started(),
    stuck(),
    ended(),
    started("s-2"),
    ended("exited", "s-2"),
    stuckLimit(9),
  );
  const reasons = await whyTask(readModel, log, 1);
  expect(reasons?.because[0]).toMatchObject({
    to: "failed",
    rule: "settlement 7a",
    causes: [2, 7],
    counted: [4, 7],
  });
  expect(reasons?.stuck).toEqual({
    count: 2,
    limit: 9,
    limit_set: 8,
    sessions: [
      { session: "s-1", inferred: false, event: 4 },
      { session: "s-2", inferred: true, event: 7 },
    ],
  });
});

test("an unknown task has no explanation", async () => {
  const { readModel, log } = await given(created(1));
  expect(await whyTask(readModel, log, 2)).toBeUndefined();
});

test("in any history, each status is explained back to the task's addition, by events of that task or a linked one", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const store = openMemoryStore();
      await execute(store, history);
      const { readModel, log } = store;
      const ids = readModel.database
        .prepare<[], number>("SELECT DISTINCT task_id FROM status_changes")
        .pluck()
        .all();
      const links = readModel.database
        .prepare<[number, number, number], number>(
          `SELECT depends_on FROM blockers WHERE task_id = ? AND depends_on IS NOT NULL
           UNION SELECT task_id FROM suggestions WHERE proposed_task = ?
           UNION SELECT s.task_id FROM tasks t JOIN suggestions s ON s.id = t.suggestion WHERE t.id = ?`,
        )
        .pluck();
      for (const id of ids) {
        const reasons = await whyTask(readModel, log, id);
        if (!reasons) throw new Error(`Task ${id} has no reasons.`);
        const { because, events, status, deleted } = reasons;
        if (deleted === null) expect(because[0]?.to).toBe(status);
        expect(because.at(-1)?.from).toBeNull();
        for (const [index, { from }] of because.entries()) expect(from).toBe(because[index + 1]?.to ?? null);
        const known = new Map(events.map((fact) => [fact.position, fact]));
        const related = new Set([id, ...links.all(id, id, id)]);
        for (const { position, causes, means } of because) {
          expect(means).toBeDefined();
          expect(causes).toContain(position);
          for (const cause of causes) {
            const fact = known.get(cause);
            expect(fact, `event ${cause}`).toBeDefined();
            if (fact && fact.type !== "policy.set") expect(related).toContain(fact.task);
          }
        }
      }
      readModel.close();
    }),
    runs(25),
  );
});
