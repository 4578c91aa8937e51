import { z } from "zod";
import { deniedWords } from "../events/types/denied-words.ts";
import { pc, quoteLine } from "../lib/terminal/output.ts";
import { visible, visibleLines } from "../lib/visible.ts";
import { itemKinds } from "../projections/board/inbox-tables.ts";
import { choicesOf, inboxKey, listInbox } from "../queries/inbox.ts";
import type { InboxItem } from "../queries/inbox-item.ts";
import { changeOf, commandFor, hintFor } from "./inbox-hints.ts";
import { definePages } from "./reading.ts";

export const listItems = definePages({
  input: z.strictObject({ all: z.boolean().optional(), kind: z.enum(itemKinds).optional() }),
  rows: "inbox",
  key: z.string(),
  keyOf: (item: InboxItem) => inboxKey(item),
  ask: (readModel, input) => listInbox(readModel, input),
  command: {
    name: "list",
    isDefault: true,
    does: "list what needs a human",
    takes: {
      all: ["--all", "include questions and blockers that are only information"],
      kind: ["--kind <kind>", "items of this kind only"],
    },
    example: "--json",
    says: (items, { after }) =>
      items.length === 0
        ? `Nothing ${after === undefined ? "" : "more "}needs you.`
        : items.flatMap(itemLines),
  },
});

/** An item of the inbox, with its command. */
export function itemLines(item: InboxItem): string[] {
  const isApproval = item.kind === "gate_approval";
  const text = isApproval ? visibleLines(item.text).join("\n     ") : quoteLine(item.text, 100);
  const state = isApproval ? "an agent asks to run this" : `${item.kind} ${item.state}`;
  const blocks = item.blocks_work ? " · blocks work" : "";
  const isElsewhere = item.feature !== null && !item.feature_exists;
  return [
    `${SYMBOLS[item.kind]} ${pc.bold(String(item.id))}  ${text}`,
    pc.dim(
      `     ${item.task === null ? `plan-${item.plan}` : `task ${item.task} ${quoteLine(item.task_title, 60)}`} · ${state}${blocks}`,
    ),
    ...(isElsewhere
      ? [`     names the feature ${quoteLine(item.feature ?? "", 40)}, which does not exist`]
      : []),
    ...detailLines(item),
    ...(item.ended === null ? [] : [`     ${quoteLine(item.ended, 300)}`]),
    ...(item.denied.length > 0
      ? [pc.yellow(`     denied: ${quoteLine(deniedWords(item.denied), 200)}  (docs/clients.md#permissions)`)]
      : []),
    ...(item.changed.length > 0 ? [pc.yellow(`     ${changeOf(item)}`)] : []),
    ...choicesOf(item).map(
      (choice) => `     • ${quoteLine(choice)}${choice === item.preferred ? pc.green(" (preferred)") : ""}`,
    ),
    pc.dim(`     ${hintFor(item)}`),
  ];
}

const DETAILED: ReadonlySet<InboxItem["kind"]> = new Set(["acceptance", "merge", "stall", "setup", "plan"]);

/**
 * The details of a merge, except the command, which is shown below it; what was found in the workspace of a done; what sessions
 * that did not get on said; a setup's output.
 */
function detailLines(item: InboxItem): string[] {
  if (!DETAILED.has(item.kind)) return [];
  if (item.kind === "plan") return planLines(item.detail ?? "");
  return (item.detail ?? "")
    .split("\n")
    .slice(-DETAIL_LINES)
    .filter((line) => line !== "" && line !== commandFor(item))
    .map((line) => `     ${quoteLine(line, 200)}`);
}

/** What a human approves with a plan, from its beginning, each line whole. */
function planLines(detail: string): string[] {
  const lines = detail.split("\n");
  const more = lines.length - PLAN_LINES;
  return [
    ...lines.slice(0, PLAN_LINES).map((line) => `     ${visible(line)}`),
    ...(more > 0
      ? [pc.yellow(`     … and ${more} more lines: \`signalbox inbox list --kind plan --json\``)]
      : []),
  ];
}

const PLAN_LINES = 60;

/** The length of the shown details; the end stays: a merge's commands, the last session's words. */
const DETAIL_LINES = 12;

const SYMBOLS: Readonly<Record<InboxItem["kind"], string>> = {
  question: "❓",
  blocker: "🚫",
  contest: "⚖",
  plan: "🗺",
  proposal: "🤖",
  gate_approval: "🔑",
  gate: "⛔",
  acceptance: "✋",
  stall: "🔁",
  setup: "🔧",
  hold: "⏸",
  merge: "🔀",
  flag: "🚩",
};
