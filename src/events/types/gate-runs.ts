import { z } from "zod";
import { defineEvent } from "../event.ts";
import {
  passes,
  type RecordedResult,
  recordedResult,
  resultFromElsewhere,
  textAsOutput,
} from "./command-result.ts";
import {
  commit,
  filePath,
  gateNumber,
  hostId,
  position,
  sessionId,
  taskId,
  taskStream,
  text,
} from "./fields.ts";
import { filesInWords } from "./gate-words.ts";
import { GATE_COMMAND_LIMIT } from "./gates.ts";
import { structural } from "./structure.ts";

const ofRun = {
  task: taskId,
  gate: gateNumber,
  /** The session during which it runs. */
  session: sessionId.optional(),
};
const command = text.max(GATE_COMMAND_LIMIT);

export const gateStarted = defineEvent({
  type: "gate.started",
  version: 2,
  description:
    "A gate's command is about to run. If its runner dies, the attempt is recorded as interrupted " +
    "when the log is next opened.",
  payload: z.strictObject({
    ...ofRun,
    command,
    /** The position of the `done` that it verifies; absent if it was run on its own. */
    claim: position.optional(),
    /**
     * True: a baseline run before the session's work, to know which gates failed already. Not an
     * attempt.
     */
    baseline: z.boolean(),
    /** Where it runs; absent in what older programs wrote. */
    host: hostId.optional(),
    /** The process that runs it. */
    runner: z.strictObject({
      host: structural(z.string().min(1).max(300)),
      pid: z.int().min(1),
      /**
       * Identifies the process together with its number, which the system may reuse; absent if the
       * system does not tell.
       */
      began: structural(z.string().max(200)).optional(),
      /**
       * The process namespace of the number; absent if the system does not tell. From another one,
       * no one can say whether the process runs.
       */
      pid_namespace: structural(z.string().max(200)).optional(),
      /** Marks the processes of its commands. */
      mark: structural(z.uuid()),
    }),
  }),
  stream: taskStream,
  timeline: ({ gate, baseline }) => `Gate ${gate} is running${baseline ? " for the baseline" : ""}`,
  example: {
    task: 7,
    gate: 1,
    session: "s-1",
    command: "npm test",
    baseline: false,
    host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
    runner: {
      host: "build-1",
      pid: 4_711,
      began: "b7c2 81920",
      pid_namespace: "pid:[4026531836]",
      mark: "0190a6c2-7a34-7c1e-8d52-3f9b6f0a4e11",
    },
  },
  upcasters: {
    /** Version 1 named the machine, not the host. */
    1: (payload) => payload,
  },
});

const endedRun = z.strictObject({
  ...ofRun,
  /** The position of its `gate.started`; absent if it was run elsewhere. */
  started: position.optional(),
  /** The command as it was run; absent if the reporter did not say. */
  command: command.optional(),
  ...recordedResult.shape,
});

const gateAttempted = defineEvent({
  type: "gate.attempted",
  version: 2,
  description: "A gate's command has run, or its run was interrupted.",
  payload: endedRun,
  stream: taskStream,
  timeline: ({ gate, ...result }) => `Gate ${gate}: ${howItEnded(result)}`,
  example: {
    task: 7,
    gate: 1,
    session: "s-1",
    started: 41,
    command: "npm test",
    exit_code: 1,
    signal: null,
    timed_out: false,
    interrupted: false,
    duration_ms: 2_300,
    stdout: {
      head: "1 failing\n",
      tail: "",
      omitted_characters: 0,
      invalid_sequences: 0,
      bytes: 10,
      sha256: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f708192a3b4c5d6e7f8091a2b3c",
    },
    stderr: textAsOutput(""),
    explanation: null,
    isolation: "none",
    left_behind: [],
    workspace_before: "a40c1e",
    workspace_after: "a40c1e",
  },
  upcasters: {
    /**
     * Version 1 had each output as one text, and an exit code even if a signal ended the command.
     */
    1: ({ stdout, stderr, ...payload }) => ({
      ...payload,
      signal: null,
      interrupted: false,
      stdout: textAsOutput(String(stdout)),
      stderr: textAsOutput(String(stderr)),
      explanation: null,
      left_behind: [],
    }),
  },
});

/** The most files that one run names. */
export const WITHOUT_LIMIT = 100;

const gateBaselined = defineEvent({
  type: "gate.baselined",
  version: 2,
  description:
    "A gate's command ran without a session's work, or without some of it; this changes neither the gate's state nor its attempts.",
  payload: endedRun.extend({
    /** It ran in a copy of this commit's files: the base of the task's work. Absent: in the agent's folder, before the session's work. */
    base: commit.optional(),
    /** The position of an earlier run of the command on this base, whose result this is; its output is there. */
    repeats: position.optional(),
    /** It ran after a pass, in a copy of the passed files without the task's changes of these: a proof, no baseline. */
    without: z.strictObject({ files: z.array(filePath).max(WITHOUT_LIMIT), more: z.int().min(0) }).optional(),
  }),
  stream: taskStream,
  timeline: ({ gate, without, ...result }) =>
    `${without ? `Gate ${gate} without ${filesInWords(without)}` : `Baseline of gate ${gate}`}: ${howItEnded(result)}`,
  example: {
    task: 7,
    gate: 1,
    session: "s-1",
    started: 39,
    command: "npm test",
    ...resultFromElsewhere({ exit_code: 0, duration_ms: 2_100, stdout: "12 passing\n" }),
  },
  upcasters: {
    /** Version 1 knew baselines in the agent's folder alone. */
    1: (payload) => payload,
  },
});

/** How a run ended, in a few words: `failed with exit code 1`. */
export function howItEnded(
  result: Pick<RecordedResult, "exit_code" | "signal" | "timed_out" | "interrupted">,
): string {
  if (passes(result)) return "passed";
  if (result.interrupted) return "was interrupted";
  if (result.timed_out) return "timed out";
  if (result.exit_code !== null) return `failed with exit code ${result.exit_code}`;
  return result.signal === null ? "could not be ended" : `was ended by ${result.signal}`;
}

/** Every event of this family, in the order of docs/events.md. */
export const gateRunEvents = [gateStarted, gateAttempted, gateBaselined] as const;
