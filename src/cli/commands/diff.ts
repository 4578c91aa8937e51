import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { diffStates, type StateDiff, type TaskDiff } from "../../history/time-travel/diff.ts";
import { counted, pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { toIsoTime, toSeconds } from "../../lib/time.ts";
import { type CommonOptions, guarded, projectOptions, warn, withProject } from "../making/command.ts";
import { showProgress } from "../making/past-cache.ts";

/** Written for commander: takes two points, and shows how far it has read. */
export function addDiff(program: Command): void {
  projectOptions(
    program
      .command("diff")
      .description(
        "show the changes between two points in the log: statuses, questions, learnings and more, by task",
      )
      .argument("<from>", "the earlier point: a position, HEAD~10, a time in UTC, or e.g. '2 hours ago'")
      .argument("[to]", "the later point (default: now)", "HEAD"),
  )
    .addHelpText("after", "\nExample:\n  signalbox diff yesterday")
    .action((from: string, to: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [before, after] = [
            await project.at(from, warn, showProgress(warn)),
            await project.at(to, warn, showProgress(warn)),
          ];
          try {
            checkOrder(before, after);
            const diff = diffStates(before.store.readModel, after.store.readModel);
            if (options.json) printJson({ from: pointOf(before), to: pointOf(after), ...diff });
            else show(before, after, diff);
          } finally {
            await before.close();
            await after.close();
          }
        }),
      ),
    );
}

function pointOf({ asOf }: Project) {
  return { position: asOf?.position ?? 0, time: toIsoTime(asOf?.moment ?? 0) };
}

/** @throws Refusal `not_possible` */
function checkOrder(before: Project, after: Project): void {
  const [from, to] = [pointOf(before).position, pointOf(after).position];
  if (from <= to) return;
  throw new Refusal("not_possible", `Position ${from} is after ${to}. Name the earlier point first.`);
}

function show(before: Project, after: Project, { counts, tasks, learnings }: StateDiff): void {
  const [from, to] = [pointOf(before), pointOf(after)];
  print(
    pc.dim(`positions ${from.position} (${shortTime(from.time)}) to ${to.position} (${shortTime(to.time)})`),
  );
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 ? [`${name.replaceAll("_", " ")} ${count}`] : [],
  );
  const nothing =
    tasks.length + learnings.length === 0
      ? "No differences in tasks or learnings."
      : "The counts are the same.";
  print(parts.join(" · ") || nothing);
  for (const task of tasks) showTask(task);
  if (learnings.length > 0) print(`\n${pc.bold("Learned")}`);
  for (const learning of learnings) print(`  ${learningLine(learning)}`);
}

function shortTime(time: string): string {
  return `${toSeconds(time)} UTC`;
}

function showTask(task: TaskDiff): void {
  const { status } = task;
  const change = task.change === "changed" ? "" : `  ${task.change}`;
  print(`\n${pc.bold(`#${task.task} ${quoteLine(task.title)}`)}${change}`);
  if (status?.to) {
    print(`  status     ${step(status.from, status.to)}  ${pc.dim(`(${status.rule}, #${status.position})`)}`);
  }
  if (task.fields.length > 0) print(`  changed    ${task.fields.join(", ")}`);
  for (const one of task.sessions)
    print(`  session    ${quoteLine(one.session, 40)}  ${step(one.from, one.to)}`);
  for (const one of task.questions) {
    const answer = one.answer === null || one.from === one.to ? "" : `  “${quoteLine(one.answer, 40)}”`;
    print(`  question   ${one.id}  ${quoteLine(one.question, 50)}  ${step(one.from, one.to)}${answer}`);
  }
  for (const one of task.blockers)
    print(`  blocker    ${one.id}  ${quoteLine(one.on, 50)}  ${step(one.from, one.to)}`);
  for (const one of task.gates)
    print(`  gate       ${one.gate}  ${quoteLine(one.command, 50)}  ${step(one.from, one.to)}`);
  for (const one of task.learnings) print(`  learned    ${learningLine(one)}`);
  for (const one of task.flags) print(`  flag       ${one.id}  ${quoteLine(one.what, 60)}  ${one.severity}`);
}

function learningLine({ id, text, from, to }: StateDiff["learnings"][number]): string {
  const said = from === null && to === 1 ? "" : `  said ${from ?? 0} → ${counted(to, "time")}`;
  return `${id}  ${quoteLine(text, 60)}${said}`;
}

function step(from: string | null, to: string): string {
  return from === null ? to : `${from} → ${to}`;
}
