import { mergesTable } from "../../projections/board/merge-tables.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import { sessionConflicts } from "../../projections/workspaces.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { inLine, quoteAgent } from "./quote.ts";

/**
 * What a session has to merge: an unfinished merge in its worktree, and the task's own merge for
 * which it was reopened. The agent gets conflict marks in the files, which it resolves better than
 * the steps of a rebase.
 */
export function mergePart(context: Context): Part {
  return {
    name: "merge",
    heading: "Finish the merge first",
    lead:
      "Keep what both sides are for. When the session ends, uncommitted changes are committed for " +
      "you, and that completes the merge.",
    why: "a merge stopped",
    entries: [...conflictOf(context), ...reopenedFor(context)],
    required: true,
  };
}

function conflictOf({ readModel, session }: Context): Entry[] {
  const row =
    session === undefined ? undefined : readModel.rowsOf({ sessionConflicts }).sessionConflicts.get(session);
  if (!row) return [];
  const text = [
    `Merging ${inLine(row.branch)} into the branch of this task stopped at conflicts. The files ` +
      "contain the markers <<<<<<<, ======= and >>>>>>>; resolve each conflict and leave no marker:",
    ...filesIn(row.files, row.more),
  ];
  return [{ text: text.join("\n"), positions: [row.position], why: "the worktree has an unfinished merge" }];
}

function reopenedFor({ readModel, task, limit }: Context): Entry[] {
  const row = readModel.rowsOf({ merges: mergesTable }).merges.get(task.id);
  if (!row?.reopened) return [];
  const base = inLine(row.base);
  const again = `This task was done, but its branch could not be merged into ${base}. ${base} is merged into your worktree.`;
  const text =
    row.gate === null
      ? [`${again} Both change the same lines in:`, ...filesIn(row.files, 0)]
      : [
          `${again} Gate ${row.gate} does not pass there. Make it pass without undoing what ${base} has:`,
          quoteAgent(row.command ?? "", limit(1 / 24)),
          ...(row.output ? ["It printed:", quoteAgent(row.output, limit(1 / 8))] : []),
        ];
  return [{ text: text.join("\n"), positions: [row.position], why: "the task was reopened for its merge" }];
}

function filesIn(files: string, more: number): string[] {
  const paths: string[] = parseColumn(files);
  const shown = paths.slice(0, SHOWN);
  const left = paths.length - shown.length + more;
  return [...shown.map((path) => `- ${inLine(path)}`), ...(left > 0 ? [`- and ${left} more`] : [])];
}

const SHOWN = 50;
