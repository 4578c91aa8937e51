import { outputText, passes } from "../../events/types/command-result.ts";
import type { Event } from "../../events/types/index.ts";
import type { Board } from "./tables.ts";

/** A failed setup is a fault of the project: it counts for no task, and one item stands for all of them. */
export function recordSetup(rows: Board, { position, payload }: Event<"workspace.prepared">): void {
  forgetFailedSetups(rows);
  if (passes(payload) || payload.interrupted) return;
  const { task: task_id, command, stdout, stderr, explanation } = payload;
  const output = [outputText(stdout), outputText(stderr)].filter(Boolean).join("\n");
  rows.failedSetups.insert({ position, task_id, command, output, explanation });
}

/** @param task absent: of all */
export function forgetFailedSetups(rows: Board, task?: number): void {
  for (const row of rows.failedSetups.scan())
    if (task === undefined || row.task_id === task) rows.failedSetups.delete(row.position);
}
