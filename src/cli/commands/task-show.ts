import type { Command } from "commander";
import { noSuchTask, stateOf } from "../../decisions/state.ts";
import type { TaskDetails } from "../../projections/queries/tasks.ts";
import { pc, print, printJson, quoteLine, quoteText } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, readingOptions, withProject } from "../command.ts";
import { gateLines } from "../gate-lines.ts";
import { proofLines } from "../proof-lines.ts";
import { repetitionLine } from "../repetition-line.ts";
import { toApprove } from "../to-approve.ts";

export function addShow(group: Command): void {
  readingOptions(
    group
      .command("show")
      .description("show a task: its fields, gates, what is proven of its work, status changes and timeline")
      .argument("<id>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox task show 7")
    .action((id: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries, store }) => {
          const task = await queries.task(id);
          if (!task) throw noSuchTask(stateOf(store.readModel), id);
          if (options.json) printJson(task);
          else showTask(task);
        }),
      ),
    );
}

function showTask(task: TaskDetails): void {
  print(`${pc.bold(`#${task.id} ${quoteLine(task.title, 200)}`)}${task.origin === "agent" ? " 🤖" : ""}`);
  print(`${task.ready ? "ready" : task.status} · ${task.priority} · ${task.feature} · ${task.discipline}`);
  for (const line of toApprove(task)) print(pc.yellow(line));
  showRelated("depends on", task.dependencies);
  showRelated("needed by", task.dependents);
  if (task.tags.length > 0) print(`tags ${task.tags.map((tag) => quoteLine(tag)).join(", ")}`);
  if (task.estimated_turns !== null) print(`about ${task.estimated_turns} turns of an agent`);
  if (task.stuck_count > 0) print(`stuck ${task.stuck_count} times`);
  for (const repetition of task.repetitions.filter(({ lasts }) => lasts)) {
    print(pc.yellow(repetitionLine(repetition, repetition.id)));
  }
  if (task.description !== "") print(`\n${quoteText(task.description)}`);
  showList("must be true", task.criteria);
  showText("hints", task.hints);
  showText("pseudocode", task.pseudocode);
  showList("files to know", task.context_files);
  showList("files to make or change", task.output_artifacts);
  if (task.gates.length > 0) print(`\n${gateLines(task.gates).join("\n")}`);
  if (task.proof) print(`\n${proofLines(task.proof).join("\n")}`);
  showHistory(task);
}

function showHistory({ status_changes, timeline }: TaskDetails): void {
  print(`\n${pc.dim("status changes")}`);
  for (const change of status_changes) {
    const from = change.from_status === null ? "" : `${change.from_status} → `;
    print(
      `  ${pc.dim(change.created.slice(0, 19))}  ${from}${change.to_status}  (${change.rule}; positions ${JSON.parse(change.causes).join(", ")})`,
    );
  }
  if (timeline.length > 0) print(`\n${pc.dim("timeline")}`);
  for (const entry of timeline) {
    print(
      `  ${pc.dim(entry.created.slice(0, 19))}  ${pc.cyan(quoteLine(entry.author, 20))}${writtenBy(entry)}`,
    );
    print(quoteText(entry.body).replace(/^/gm, "    "));
  }
}

/** A signature is chosen by whoever writes it; that an agent did is said beside it. */
function writtenBy({ author, by }: TaskDetails["timeline"][number]): string {
  return author === by ? "" : pc.dim(` (by ${quoteLine(by, 20)})`);
}

function showRelated(how: string, tasks: TaskDetails["dependencies"]): void {
  if (tasks.length > 0) print(`${how} ${tasks.map(({ id, status }) => `${id} (${status})`).join(", ")}`);
}

function showText(heading: string, text: string | null): void {
  if (text) print(`\n${pc.dim(heading)}\n${quoteText(text)}`);
}

function showList(heading: string, entries: readonly string[]): void {
  showText(heading, entries.map((entry) => `- ${entry}`).join("\n"));
}
