import { z } from "zod";
import { position, priorities, taskId, taskStatuses } from "../events/types/fields.ts";
import { howItEnded } from "../events/types/gate-runs.ts";
import { verbs } from "../events/types/signals.ts";
import { workInWords } from "../events/types/work-words.ts";
import { takeFitting } from "../lib/take-fitting.ts";
import { lastResult } from "../projections/board/settlement.ts";
import { gateApprovals, gateStates } from "../projections/board/tables.ts";
import type { TaskDetails } from "../queries/tasks.ts";

/** The length of the timeline in characters, newest first: about 10,000 tokens. */
const TIMELINE_LIMIT = 40_000;
/** How many dependent tasks are named. */
const DEPENDENTS_LIMIT = 100;
/** The length of the end of a gate's output. */
const OUTPUT_LIMIT = 4_000;

const related = z.strictObject({ id: taskId, title: z.string(), status: z.enum(taskStatuses) });
const texts = z.array(z.string());

const proofOfDone = z.strictObject({
  session: z.string(),
  claimed: z.strictObject({ position }).nullable().describe("Its agent closed with done."),
  worked: z.string().nullable().describe("What its driver found in the repository at its end."),
  verified: z.enum(["yes", "no", "no_gates"]).describe("yes: every gate is passed or skipped."),
  gates: z.array(
    z.strictObject({
      gate: z.int(),
      state: z.enum(gateStates),
      /** The position of the event that passed or skipped it. */
      position: position.nullable(),
      workspace: z.string().nullable().describe("The workspace fingerprint that it passed on."),
      proven: z.enum(["yes", "no"]).nullable().describe("no: it passes without the work."),
      evidence: z.string(),
    }),
  ),
  accept: z.enum(["auto", "human"]),
  accepted: z
    .strictObject({ by: z.string(), position, created: z.string(), findings: texts })
    .nullable()
    .describe("By a human."),
});

/** A full task for an agent. Times are UTC. */
export const taskDescription = z.strictObject({
  id: taskId,
  title: z.string(),
  description: z.string(),
  status: z.enum(taskStatuses),
  priority: z.enum(priorities),
  feature: z.string(),
  discipline: z.string(),
  origin: z.enum(["human", "agent"]).describe("agent: created from an agent's suggestion."),
  agent_words: z.boolean().describe("True if an agent wrote or changed any of its text."),
  ready: z.boolean().describe("True if it could be started now."),
  accept: z.enum(["auto", "human"]).describe("human: a verified done waits until a human accepts it."),
  awaiting_acceptance: z.boolean(),
  acceptance_criteria: texts,
  depends_on: z.array(taskId),
  dependencies: z.array(related),
  dependents: z.array(related).describe("Tasks that depend on it."),
  dependents_left_out: z.int().describe("How many more depend on it."),
  tags: texts,
  context_files: texts,
  output_artifacts: texts,
  hints: z.string().nullable(),
  pseudocode: z.string().nullable(),
  estimated_turns: z.int().nullable(),
  gates: z.array(
    z.strictObject({
      gate: z.int(),
      command: z.string(),
      state: z.enum(gateStates),
      approval: z.enum(gateApprovals).describe("waiting: not run until a human approves it."),
      attempts: z.int().describe("Consecutive failures."),
      max_attempts: z.int(),
      last_end: z.string().nullable().describe("How its last attempt ended."),
      last_exit_code: z.int().nullable(),
      last_signal: z.string().nullable(),
      last_interrupted: z.boolean(),
      last_explanation: z.string().nullable(),
      /** The output's end. */
      last_output: z.string(),
    }),
  ),
  proof: proofOfDone.nullable().describe("Of its last session's work."),
  open_session: z.string().nullable().describe("The session that runs now."),
  sessions: z.int(),
  stuck_count: z.int(),
  remaining: z.string().nullable().describe("Work left by the last partial."),
  created: z.string(),
  updated: z.string(),
  completed_at: z.string().nullable(),
  timeline: z
    .array(
      z.strictObject({
        /** For a comment, its `comment_id`. */
        id: position,
        /** A comment's signature, a signal's discipline. */
        author: z.string(),
        by: z.string().describe("Who wrote it: `agent` for any agent, whatever `author` says."),
        session: z.string().nullable(),
        verb: z.enum(verbs).nullable(),
        body: z.string(),
        /** A human's answer to an ask. */
        answer: z.string().nullable(),
        created: z.string(),
      }),
    )
    .describe("Comments, which have no verb, and signals, in log order."),
  timeline_left_out: z.int().describe("How many older entries were left out."),
});

export function describeTask(task: TaskDetails): z.output<typeof taskDescription> {
  const { id, title, description, status, priority, feature, discipline, origin, ready, accept } = task;
  const { depends_on, dependencies, dependents, tags, context_files, output_artifacts, hints } = task;
  const { pseudocode, estimated_turns, open_session, sessions, stuck_count, remaining } = task;
  const { created, updated, completed_at, proof } = task;
  const timeline = newestThatFit(task.timeline.map(describeEntry));
  return {
    ...{ id, title, description, status, priority, feature, discipline, origin, ready, accept },
    agent_words: task.agent_words === 1,
    awaiting_acceptance: task.awaiting_acceptance === 1,
    acceptance_criteria: task.criteria,
    ...{ depends_on, dependencies },
    dependents: dependents.slice(0, DEPENDENTS_LIMIT),
    dependents_left_out: Math.max(0, dependents.length - DEPENDENTS_LIMIT),
    ...{ tags, context_files, output_artifacts, hints },
    ...{ pseudocode, estimated_turns },
    gates: task.gates.map(describeGate),
    proof: proof && {
      ...proof,
      worked: proof.worked && workInWords(proof.worked),
      gates: [...proof.gates],
    },
    ...{ open_session, sessions, stuck_count, remaining, created, updated, completed_at },
    timeline,
    timeline_left_out: task.timeline.length - timeline.length,
  };
}

function describeGate({
  gate,
  command,
  state,
  approval,
  attempts,
  max_attempts,
  ...last
}: TaskDetails["gates"][number]) {
  const output = [last.last_stdout, last.last_stderr].filter(Boolean).join("\n");
  const end = lastResult(last);
  return {
    ...{ gate, command, state, approval, attempts, max_attempts },
    last_end: end ? howItEnded(end) : null,
    last_exit_code: last.last_exit_code,
    last_signal: last.last_signal,
    last_interrupted: last.last_interrupted === 1,
    last_explanation: last.last_explanation,
    last_output: output.slice(-OUTPUT_LIMIT),
  };
}

function describeEntry(entry: TaskDetails["timeline"][number]) {
  const {
    id,
    author,
    by,
    session_id: session,
    signal_verb: verb,
    body,
    signal_answered: answer,
    created,
  } = entry;
  return { id, author, by, session, verb, body, answer, created };
}

/** In order; always includes the newest one. */
function newestThatFit<Entry>(entries: readonly Entry[]): Entry[] {
  const fitting = takeFitting([...entries].reverse(), TIMELINE_LIMIT);
  return entries.slice(-Math.max(1, fitting.length));
}
