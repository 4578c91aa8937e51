import type { BoardColumn } from "../../../server/answers/board.ts";
import type { TaskStatus } from "../../core.ts";
import { statusWords } from "../../parts/status-words.ts";

/** Statuses in the order of the board. Final ones are folded at first. */
export const openStatuses = ["pending", "in_progress", "needs_input", "blocked", "draft"] as const;
export const foldedStatuses = ["done", "failed", "skipped"] as const;
export const boardStatuses: readonly TaskStatus[] = [...openStatuses, ...foldedStatuses];

/** The folded statuses that the address opens. */
export function unfolded(open: string | undefined): TaskStatus[] {
  const named = new Set(open?.split(",") ?? []);
  return foldedStatuses.filter((status) => named.has(status));
}

/** A column's name and counts; under a filter, the matches and the total. */
export function headingOf(
  { status, all, matching }: BoardColumn,
  isFiltered: boolean,
): { readonly name: string; readonly count: string; readonly more?: string } {
  const count = (some: number, whole: number) =>
    isFiltered ? `${number(some)} of ${number(whole)}` : number(whole);
  if (status !== "pending") {
    return { name: statusWords[status], count: count(matching.tasks, all.tasks) };
  }
  const waiting = all.tasks - all.ready;
  return {
    name: "Ready",
    count: count(matching.ready, all.ready),
    ...(waiting > 0 && { more: `${count(matching.tasks - matching.ready, waiting)} waiting` }),
  };
}

function number(value: number): string {
  return value.toLocaleString("en");
}
