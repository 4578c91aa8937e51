import { counted } from "../lib/readable.ts";
import { pc, quoteLine, quoteText, tableLines } from "../lib/terminal/output.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { TaskBrief, TaskDetails, TaskView } from "../queries/tasks.ts";
import { gateLines } from "./gate-lines.ts";
import { proofLines } from "./proof-lines.ts";
import { repetitionLine } from "./repetition-line.ts";
import { toApprove } from "./to-approve.ts";

/** Tasks as a table for people, followed by what a human must do to make them ready. */
export function taskTable(tasks: readonly TaskBrief[]): string[] {
  return [
    ...tableLines(
      ["id", "status", "priority", "feature", "depends on", "title"],
      tasks.map((task) => [
        task.id,
        task.ready ? pc.green("ready") : task.status,
        task.priority,
        quoteLine(task.feature, 24),
        task.depends_on.join(", "),
        `${task.origin === "agent" ? "🤖 " : ""}${quoteLine(task.title)}`,
      ]),
    ),
    ...tasks.flatMap((task) => toApprove(task).map((line) => pc.yellow(`#${task.id}: ${line}`))),
  ];
}

/** A command's effect on a task; null: it was deleted meanwhile. */
export function taskLines(task: TaskView | null, id: number): string[] {
  return [`Task ${id} is ${task?.status}: ${quoteLine(task?.title ?? "")}`, ...toApprove(task)];
}

/** A full task for people. */
export function detailLines(task: TaskDetails): string[] {
  return [
    `${pc.bold(`#${task.id} ${quoteLine(task.title, 200)}`)}${task.origin === "agent" ? " 🤖" : ""}`,
    `${task.ready ? "ready" : task.status} · ${task.priority} · ${task.feature} · ${task.discipline}`,
    ...toApprove(task).map(pc.yellow),
    ...relatedLines("depends on", task.dependencies),
    ...relatedLines("needed by", task.dependents),
    ...(task.tags.length > 0 ? [`tags ${task.tags.map((tag) => quoteLine(tag)).join(", ")}`] : []),
    ...(task.estimated_turns === null ? [] : [`about ${task.estimated_turns} agent turns`]),
    ...(task.stuck_count > 0 ? [`stuck ${counted(task.stuck_count, "time")}`] : []),
    ...task.repetitions
      .filter(({ lasts }) => lasts)
      .map((repetition) => pc.yellow(repetitionLine(repetition, repetition.id))),
    ...(task.description === "" ? [] : [`\n${quoteText(task.description)}`]),
    ...listLines("must be true", task.criteria),
    ...textLines("hints", task.hints),
    ...textLines("pseudocode", task.pseudocode),
    ...listLines("files to know", task.context_files),
    ...listLines("files to make or change", task.output_artifacts),
    ...(task.gates.length > 0 ? ["", ...gateLines(task.gates)] : []),
    ...(task.proof ? ["", ...proofLines(task.proof)] : []),
    ...historyLines(task),
  ];
}

function relatedLines(how: string, tasks: TaskDetails["dependencies"]): string[] {
  return tasks.length > 0 ? [`${how} ${tasks.map(({ id, status }) => `${id} (${status})`).join(", ")}`] : [];
}

function listLines(heading: string, entries: readonly string[]): string[] {
  return textLines(heading, entries.map((entry) => `- ${entry}`).join("\n"));
}

function textLines(heading: string, text: string | null): string[] {
  return text ? [`\n${pc.dim(heading)}\n${quoteText(text)}`] : [];
}

function historyLines({ status_changes, timeline }: TaskDetails): string[] {
  return [
    `\n${pc.dim("status changes")}`,
    ...status_changes.map(({ created, from_status, to_status, rule, causes }) => {
      const from = from_status === null ? "" : `${from_status} → `;
      const because = `(${rule}; positions ${parseColumn(causes).join(", ")})`;
      return `  ${pc.dim(created.slice(0, 19))}  ${from}${to_status}  ${because}`;
    }),
    ...(timeline.length > 0 ? [`\n${pc.dim("timeline")}`] : []),
    ...timeline.flatMap((entry) => [
      `  ${pc.dim(entry.created.slice(0, 19))}  ${pc.cyan(quoteLine(entry.author, 20))}${writtenBy(entry)}`,
      quoteText(entry.body).replace(/^/gm, "    "),
    ]),
  ];
}

/** Writers choose their signatures, so an agent's entry is marked as such. */
function writtenBy({ author, by }: TaskDetails["timeline"][number]): string {
  return author === by ? "" : pc.dim(` (by ${quoteLine(by, 20)})`);
}
