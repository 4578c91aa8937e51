import { deniedWords } from "../../events/types/denied-words.ts";
import { duration } from "../../lib/readable.ts";
import { pc, print, quoteLine } from "../../lib/terminal/output.ts";
import type { Step } from "../../loop/steps.ts";
import { pauseLine } from "../../operations/work.ts";
import { PAUSES } from "../../queries/labels/pauses.ts";

/** Prints a step of a loop as a line for people. */
export function sayStep(step: Step): void {
  print(`${pc.dim(new Date().toTimeString().slice(0, 8))} ${lineOf(step)}`);
}

/** The line itself, without the time. */
export function lineOf(step: Step): string {
  switch (step.step) {
    case "loop_started":
      return `loop started with agent ${step.agent}${step.jobs > 1 ? `, ${step.jobs} jobs` : ""}${sayPermissions(step)}`;
    case "recovered":
      return `${task(step)} session ${step.session} was left open by ${step.host_lost ? "a lost host" : step.driver}; ended as cancelled${step.agent_ran ? ", its agent too" : ""}`;
    case "fenced":
      return step.why === null
        ? "the log is reached again; going on"
        : `ending the running agents: ${step.why}`;
    case "work_paused":
      return pauseLine(step);
    case "session_started":
      return `${task(step)} ${sayStarted(step)}`;
    case "setup_started":
    case "baseline_started":
    case "proof_started":
    case "gate_started":
    case "merge_gate":
      return `${task(step)} ${sayRunning(step)}: ${quoteLine(step.command, 200)}`;
    case "copy_awaited":
      return `${task(step)} waiting for ${quoteLine(step.holder, 200)}`;
    case "baseline_ended":
    case "proof_ended":
      return `${task(step)} ${step.step === "proof_ended" ? sayProof(step) : `before the work: ${sayBaseline(step)}`}`;
    case "agent_started":
      return `${task(step)} agent is running${step.model === null ? "" : ` on ${step.model}`}${step.server === "unknown" ? "" : `, tools ${step.server}`}`;
    case "reported":
      return `${task(step)} ${quoteLine(step.text.replaceAll("**", ""))} ${pc.dim(`#${step.position}`)}`;
    case "setup_ended":
    case "gate_ended":
      return `${task(step)} ${step.step === "setup_ended" ? "the setup" : `gate ${step.gate}`} ${step.how} ${pc.dim(`after ${duration(step.duration_ms / 1_000)}`)}`;
    case "session_ended": {
      const cost = step.cost_usd === null ? "" : ` · $${step.cost_usd.toFixed(2)}`;
      return `${task(step)} ${sayOutcome(step, cost)}${step.task === null ? "" : ` → ${step.status}`}${sayCauses(step)}`;
    }
    case "committed":
      return `${task(step)} ${sayCommitted(step)}`;
    case "conflicted":
      return `${task(step)} merging ${step.branch} into its worktree stopped at conflicts for its agent to resolve: ${quoteLine(step.files.join(", "), 300)}`;
    case "merge_queued":
      return step.proposed
        ? `${task(step)} ${step.branch} can be merged into ${step.base}: \`signalbox merge queue ${step.task}\``
        : `${task(step)} ${step.branch} is queued to be merged into ${step.base}`;
    case "merge_started":
      return `${task(step)} merging ${step.branch} into ${step.base}`;
    case "merge_ended":
      return `${task(step)} ${sayMerge(step)}`;
    case "worktree_removed":
      return `${task(step)} ${step.folder === null ? "its branch is" : "its worktree and branch are"} removed: the base has its work`;
    case "merge_reopened":
      return `${task(step)} is pending again: an agent will merge it with the base`;
    case "session_taken":
      return `${task(step)} session ${step.session} was ended from outside; its agent was stopped`;
    case "waiting":
      return step.reason;
    case "skipped":
      return `${task(step)} skipped in this run: ${quoteLine(step.reason, 300)}`;
    case "overlap":
      return `${task(step)} changes ${quoteLine(step.path)}, and so does #${step.other_task}`;
    case "traces_failed":
      return `traces cannot be sent, the loop continues: ${quoteLine(step.reason, 300)}`;
    case "paused":
      return `waiting until ${sayTime(step.until)} ${PAUSES[step.why]}: ${quoteLine(step.reason, 300)}`;
    case "stopping":
      return `stopping: ${step.reason}`;
    case "loop_stopped":
      return `loop stopped after ${step.sessions} session${step.sessions === 1 ? "" : "s"}: ${quoteLine(step.reason, 500)}`;
  }
}

function sayStarted(step: Extract<Step, { step: "session_started" }>): string {
  const model = step.model === null ? "" : ` (${step.model})`;
  return `${quoteLine(step.title)} ${pc.dim(`· ${step.agent}${model} · prompt of ${step.prompt_tokens} tokens · ${step.session}`)}`;
}

function sayRunning(
  step: Extract<
    Step,
    { step: "setup_started" | "baseline_started" | "proof_started" | "gate_started" | "merge_gate" }
  >,
): string {
  if (step.step === "setup_started") return "setting up its worktree";
  const when = {
    baseline_started: " before the work",
    proof_started: " without the work",
    gate_started: "",
    merge_gate: " on the merged result",
  };
  return `running gate ${step.gate}${when[step.step]}`;
}

function sayCauses({
  reason,
  denied,
  last_words,
}: Pick<Extract<Step, { step: "session_ended" }>, "reason" | "denied" | "last_words">): string {
  const why = reason === null ? "" : ` · ${quoteLine(reason, 200)}`;
  const tools = denied.length === 0 ? "" : ` · denied: ${quoteLine(deniedWords(denied), 200)}`;
  const words = last_words.trim() === "" ? "" : ` · last words: ${quoteLine(last_words, 200)}`;
  return `${why}${tools}${words}`;
}

function sayOutcome(
  { task: of, outcome, closing, exit, unverified, findings }: Extract<Step, { step: "session_ended" }>,
  cost: string,
): string {
  const sign = outcome === "success" ? pc.green("✓") : outcome === "partial" ? "⊙" : pc.red("✕");
  const verb = of === null ? "planning" : (closing ?? "no closing verb");
  // Who is not done may have changed nothing.
  const told = findings.filter(
    (finding) => (closing === "done" || !finding.startsWith("no change")) && !unverified.includes(finding),
  );
  const found = told.map((finding) => ` · ${pc.yellow(quoteLine(finding, 400))}`).join("");
  if (unverified.length === 0) return `${sign} ${outcome} ${pc.dim(`(${verb}, ${exit}${cost})`)}${found}`;
  const why = unverified.map((one) => quoteLine(one, 400)).join("; ");
  return `${pc.red("✕")} done, but ${why} ${pc.dim(`(${exit}${cost})`)}${found}`;
}

/** Local time; with the day where that is not today. */
function sayTime(iso: string): string {
  const time = new Date(iso);
  const clock = time.toTimeString().slice(0, 8);
  return time.toDateString() === new Date().toDateString() ? clock : `${time.toDateString()}, ${clock}`;
}

function sayPermissions({
  agent,
  permissions,
  permissions_set,
}: Extract<Step, { step: "loop_started" }>): string {
  if (permissions === null) return "";
  const unset = `, since "permissions" of agents.${agent} is not set in .ralph/config.json (read, edit or full)`;
  return `, permissions ${permissions}${permissions_set ? "" : unset}`;
}

function sayCommitted({
  branch,
  commit,
  files,
  left_out,
  problem,
}: Extract<Step, { step: "committed" }>): string {
  const out = left_out.map(({ path, reason }) => `${quoteLine(path)} (${quoteLine(reason, 100)})`);
  return [
    ...(commit === null ? [] : [`${files === 1 ? "1 file" : `${files} files`} committed to ${branch}`]),
    ...(out.length === 0 ? [] : [pc.yellow(`left uncommitted: ${out.join(", ")}`)]),
    ...(problem === null ? [] : [pc.red(`nothing was committed to ${branch}: ${quoteLine(problem, 300)}`)]),
  ].join(" · ");
}

function sayMerge({
  task: id,
  base,
  state,
  from,
  to,
  gate,
  files,
  reason,
}: Extract<Step, { step: "merge_ended" }>): string {
  const wait = `see \`signalbox inbox\` and \`signalbox why ${id}\``;
  switch (state) {
    case "landed":
      return from === to
        ? `${base} already contains its work`
        : `${pc.green("✓")} merged into ${base} ${pc.dim(`(${from?.slice(0, 12)} → ${to?.slice(0, 12)})`)}`;
    case "conflicted":
      return `${pc.red("✕")} not merged, it conflicts with ${base} in ${quoteLine(files.join(", "), 300)}; ${wait}`;
    case "gate_failed":
      return `${pc.red("✕")} not merged, gate ${gate} fails on the merged result; ${wait}`;
    case "waiting":
      return `the merge is waiting: ${quoteLine(reason ?? "", 400)}`;
  }
}

function sayBaseline({ failed, problem }: Extract<Step, { step: "baseline_ended" }>): string {
  if (problem !== null) return `gates could not be run: ${quoteLine(problem, 300)}`;
  if (failed.length === 0) return "its gates pass";
  return `gate${failed.length === 1 ? "" : "s"} ${failed.join(", ")} did not pass`;
}

function sayProof({ gate, says }: Extract<Step, { step: "proof_ended" }>): string {
  return `${gate === null ? "gates could not be proven" : `gate ${gate}`}: ${quoteLine(says, 300)}`;
}

function task({ task: id }: { task: number | null }): string {
  return id === null ? "" : pc.bold(`#${id}`);
}
