import { expect, onTestFinished } from "vitest";
import type { EventLog } from "../../../src/events/log.ts";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { type ItemReasons, whyItem } from "../../../src/history/why/item.ts";
import { RULES, type Rule } from "../../../src/history/why/rules.ts";
import type { ExplainedChange } from "../../../src/history/why/status.ts";
import { type TaskReasons, whyTask } from "../../../src/history/why/task.ts";
import { type SessionReasons, whySession } from "../../../src/history/why/why-session.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../../events/given.ts";

/** Asks why after a history; the event at position n is its nth. */
export interface Given {
  readonly readModel: ReadModel;
  readonly log: EventLog;
  task(id?: number): Promise<TaskReasons>;
  item(kind: ItemReasons["kind"], id: number): Promise<ItemReasons>;
  session(id?: string): Promise<SessionReasons>;
}

export async function given(...history: readonly Draft[]): Promise<Given> {
  const log = openMemoryLog(environmentAt({ now: NOON }, "why"));
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  await log.append(history);
  await catchUp(readModel, log);
  expect(readModel.checkpoints.list().filter(({ error }) => error !== null)).toEqual([]);
  return {
    readModel,
    log,
    task: async (id = 1) => there(await whyTask(readModel, log, id)),
    item: async (kind, id) => there(await whyItem(readModel, log, { kind, id })),
    session: async (id = "s-1") => there(await whySession(readModel, log, id)),
  };
}

/** A change in a line: `#1 blocked → pending, released, settlement 7d [4,9]`. */
export function changeInWords({ task, from, to, rule, after, causes }: ExplainedChange): string {
  return [`#${task} ${from} → ${to}`, ...after.map(nameOf), `${rule} [${causes}]`].join(", ");
}

/** Steps in a line: `opened [5,6], raised [4]`, the last one first. */
export function stepsInWords({ because }: ItemReasons | SessionReasons): string {
  return because.map(({ means, events }) => `${nameOf(means)} [${events}]`).join(", ");
}

function nameOf(rule: Rule): string {
  return Object.entries(RULES).find(([, known]) => known === rule)?.[0] ?? `no rule: ${rule.sentence}`;
}

function there<T>(reasons: T | undefined): T {
  if (reasons === undefined) throw new Error("There is no such thing.");
  return reasons;
}
