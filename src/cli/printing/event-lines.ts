import type { Event } from "../../events/types/index.ts";
import { definitionOf } from "../../events/types/index.ts";
import { viaInWords } from "../../events/types/via.ts";
import type { Subject } from "../../history/log/subjects.ts";
import { pc, quoteLine } from "../../lib/terminal/output.ts";
import { toSeconds } from "../../lib/time.ts";

/**
 * The head of the table of events, whose rows are `eventLine`s.
 *
 * @param recordedBy whether the log knows who appended an event
 */
export function eventHead(recordedBy: boolean): string {
  const columns = ["position", "time", "actor", "task", "session", "type"];
  return pc.dim(rowOf(recordedBy ? [...columns, "recorded by"] : columns, "what it says"));
}

/**
 * One event as a row, so that a log of any length can be printed as it is read.
 *
 * @param recordedBy who appended it, if the log knows
 */
export function eventLine(
  event: Event,
  { task, session, taskOfSession }: Subject,
  recordedBy?: string,
): string {
  const { position, recordedAt, actor, via, type, payload } = event;
  const said = [definitionOf(type)?.timeline(payload) ?? "", ...(via ? [viaInWords(via)] : [])].join(" · ");
  const time = toSeconds(recordedAt);
  const about = task ?? taskOfSession;
  const cells = [String(position), time, actor, about === undefined ? "" : `#${about}`, session ?? "", type];
  if (recordedBy !== undefined) cells.push(recordedBy);
  return rowOf(cells, quoteLine(said), [pc.dim, pc.dim, same, same, same, pc.cyan]);
}

const WIDTHS = [8, 19, 8, 5, 12, 22, 12];

function rowOf(
  cells: readonly string[],
  last: string,
  colours: readonly ((text: string) => string)[] = [],
): string {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column] ?? 0;
    const text = quoteLine(cell, Math.max(width, 1));
    return (colours[column] ?? same)(column === 0 ? text.padStart(width) : text.padEnd(width));
  });
  return `${padded.join("  ")}  ${last}`.trimEnd();
}

function same(text: string): string {
  return text;
}
