import { expect, onTestFinished } from "vitest";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { board as projection } from "../../../src/projections/board/index.ts";
import { boardTables, type IndexedBoard, type StatusChange } from "../../../src/projections/board/tables.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { environmentAt, NOON } from "../../events/given.ts";

/** The board after a history, and what can be asked of it. */
export interface GivenBoard extends IndexedBoard {
  /** What happened next. */
  add(...events: readonly Draft[]): Promise<void>;
  /** The changes of a task's status: `pending → done, settlement 5, [3,4]`. */
  changesOf(task: number): string[];
  /** Every row of every table. */
  everything(): Record<string, unknown>;
}

/**
 * The board that events give which are appended as they are, legal or not in this state of the board: no decision is
 * asked. The event at position n was recorded n seconds after 10:23:15.
 */
export async function given(...history: readonly Draft[]): Promise<GivenBoard> {
  const clock = { now: NOON };
  const log = openMemoryLog(environmentAt(clock, "board"));
  const readModel = new ReadModel(":memory:", [projection]);
  onTestFinished(() => readModel.close());
  const rows = readModel.rowsOf(boardTables);
  const append = async (events: readonly Draft[]) => {
    for (const draft of events) {
      clock.now += 1_000_000;
      const appended = await log.append([draft]);
      readModel.advance(appended.events, appended.events.at(-1)?.position ?? 0);
      // A reducer that throws stops its projection.
      expect(readModel.checkpoints.list().map(({ error }) => error)).toEqual([null]);
    }
  };
  await append(history);
  return {
    ...rows,
    add: (...events) => append(events),
    changesOf: (task) => rows.statusChanges.where({ task_id: task }).map(inWords),
    everything: () => Object.fromEntries(Object.entries(rows).map(([name, table]) => [name, table.scan()])),
  };
}

/** After a history, events from which nothing follows but that they are kept, and that throw nothing. */
export async function expectNothingFrom(
  history: readonly Draft[],
  ...events: readonly Draft[]
): Promise<void> {
  const board = await given(...history);
  const before = settledRows(board);
  for (const event of events) {
    await board.add(event);
    expect(settledRows(board), event.type).toEqual(before);
  }
}

/** All rows but those that only keep what was said, and where. */
function settledRows(board: GivenBoard) {
  const { signals: _signals, flags: _flags, subjectEvents: _subjectEvents, ...settled } = board.everything();
  return settled;
}

/** The time at which the event at a position was recorded, as rows hold it. */
export function timeOf(position: number): string {
  return new Date((NOON + position * 1_000_000) / 1_000).toISOString().replace("T", " ").replace("Z", "000");
}

function inWords({ from_status, to_status, rule, causes }: StatusChange): string {
  return `${from_status} → ${to_status}, ${rule}, ${causes}`;
}
