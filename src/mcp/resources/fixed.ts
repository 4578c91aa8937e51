import { boardOf } from "../../queries/board.ts";
import { countInbox, inboxPage } from "../../queries/inbox.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { READ_LIMIT, readStateFile } from "../../workspace/state-files/read.ts";

/** The most tasks of each status on the board. */
const BOARD_LIMIT = 25;
/** The most items in the inbox. */
const INBOX_LIMIT = 100;

/** Resources without a variable; docs/resources.md is made from them. */
export const fixedResources: readonly FixedResource[] = [
  {
    name: "board",
    title: "Board",
    description:
      "Tasks by status, and the ready tasks, the next one first. At most 25 of each, with the number " +
      "left out.",
    mimeType: "application/json",
    show: (readModel) => JSON.stringify(boardOf(readModel, BOARD_LIMIT)),
  },
  {
    name: "inbox",
    title: "Inbox",
    description:
      "What needs a human: questions, blockers, proposals, gates to decide or approve, acceptances, " +
      "flags. At most 100, with the number left out.",
    mimeType: "application/json",
    show: showInbox,
  },
  {
    name: "progress",
    title: "Progress",
    description: "What is done and what remains, as in progress.txt.",
    mimeType: "text/plain",
    show: (readModel) => readStateFile(readModel, "progress", READ_LIMIT).text,
  },
  {
    name: "learnings",
    title: "Learnings",
    description: "The project's learnings, as in learnings.txt.",
    mimeType: "text/plain",
    show: (readModel) => readStateFile(readModel, "learnings", READ_LIMIT).text,
  },
];

interface FixedResource {
  /** The part of its URI after `ralph://`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "application/json" | "text/plain";
  show(readModel: ReadModel): string;
}

function showInbox(readModel: ReadModel): string {
  const { rows: items } = inboxPage(readModel, { limit: INBOX_LIMIT });
  return JSON.stringify({ items, left_out: countInbox(readModel).total - items.length });
}
