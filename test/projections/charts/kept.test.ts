import fc from "fast-check";
import { expect, test } from "vitest";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { reportedStates, sessionExits } from "../../../src/events/types/sessions.ts";
import { taskStatuses } from "../../../src/events/types/task-words.ts";
import { chart } from "../../../src/queries/charts/charts.ts";
import type { ChartDay } from "../../../src/queries/charts/days.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt } from "../../events/given.ts";
import { runs } from "../../properties/runs.ts";
import { does, ends, says, starts, task } from "../../web/support/work.ts";
import { walkClosings, walkPhases, walkStatuses } from "./walks.ts";

/** More than two points of the kept counts. */
const EVENTS = 2_500;
const TASKS = 40;

const STATUSES = taskStatuses.filter((status) => status !== "in_progress");

/** What may happen next, chosen by a number, to one of some tasks; what cannot be changes nothing. */
function drafts(numbers: readonly number[]): Draft[] {
  let next = TASKS + 1;
  const created = Array.from({ length: TASKS }, (_, nth) => task(nth + 1, `Task ${nth + 1}`));
  const sessions = new Map<number, string>();
  return numbers.reduce<Draft[]>((all, number, nth) => {
    const of = 1 + (number % (next - 1));
    const session = sessions.get(of);
    const choice = Math.floor(number / 1_000) % 20;
    if (choice === 0) all.push(task(next, `Task ${next++}`));
    else if (choice === 1 && !session)
      all.push({ type: "task.deleted", actor: "human", payload: { task: of } });
    else if (choice < 7 && !session)
      all.push({
        type: "task.status_set",
        actor: "human",
        payload: { task: of, status: STATUSES[number % STATUSES.length] ?? "done" },
      });
    else if (!session) {
      sessions.set(of, `s-${nth}`);
      all.push(starts(`s-${nth}`, of));
    } else if (choice < 14)
      all.push(does(session, reportedStates[number % reportedStates.length] ?? "testing"));
    else if (choice < 17) all.push(says(session, of, "It is there"));
    else {
      sessions.delete(of);
      all.push(ends(session, sessionExits[number % sessionExits.length]));
    }
    return all;
  }, created);
}

async function reduced(numbers: readonly number[]): Promise<{ readModel: ReadModel; now: number }> {
  const clock = { now: Date.UTC(2026, 1, 11) * 1_000 };
  const log = openMemoryLog(environmentAt(clock, "charts"));
  for (const [nth, draft] of drafts(numbers).entries()) {
    clock.now += (numbers[nth % numbers.length] ?? 1) * 1_003;
    await log.append([draft]);
  }
  const readModel = new ReadModel(":memory:");
  await catchUp(readModel, log);
  return { readModel, now: clock.now };
}

/** Days that begin and end anywhere, as those of any zone may. */
function daysAt(positions: readonly number[]): ChartDay[] {
  const ends = [...new Set(positions)].sort((a, b) => a - b);
  return ends.slice(1).map((upto, nth) => ({
    day: `2026-02-${String(nth + 10)}`,
    after: ends[nth] ?? 0,
    upto,
    start: 0,
    end: 0,
  }));
}

test.each([
  ["statuses", walkStatuses],
  ["phases", walkPhases],
  ["closings", walkClosings],
] as const)("the chart of %s equals a scan of the whole history, for any days", async (name, walk) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: EVENTS, maxLength: EVENTS }),
      fc.array(fc.integer({ min: 0, max: EVENTS + TASKS }), { minLength: 2, maxLength: 20 }),
      async (numbers, ends) => {
        const { readModel, now } = await reduced(numbers);
        const days = daysAt([0, ...ends]);
        const walked = readModel.database.prepare(walk(days, now)).all();
        expect(chart(readModel, name, days, now).rows).toEqual(walked);
        readModel.close();
      },
    ),
    // A smaller history would say no more, and finding one takes minutes.
    { ...runs(4), endOnFailure: true },
  );
});
