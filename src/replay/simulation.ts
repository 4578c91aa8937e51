import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { priority, sessionId, taskStatus } from "../events/types/fields.ts";
import { gateActions } from "../events/types/gates.ts";
import { sessionExits } from "../events/types/sessions.ts";
import { ToldError } from "../lib/told-error.ts";
import { describeIssues, inOurWords } from "../lib/wrong-values.ts";

/** One recorded simulation (sims/README.md). */
const entry = z.strictObject({ name: z.string(), display_name: z.string() });
const step = { after_seconds: z.number().min(0).default(30) };
const session = sessionId;

const simulationStep = z.discriminatedUnion("do", [
  z.strictObject({
    ...step,
    do: z.literal("start_session"),
    session,
    task: z.int(),
    workspace: z.string().optional(),
    force: z.boolean().optional(),
  }),
  z.strictObject({
    ...step,
    do: z.literal("call"),
    session,
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    expect: z.literal("rejected").optional(),
  }),
  z.strictObject({
    ...step,
    do: z.literal("gate"),
    session,
    task: z.int(),
    gate: z.int(),
    exit_code: z.int(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    duration_ms: z.int().optional(),
    timed_out: z.boolean().optional(),
  }),
  z.strictObject({
    ...step,
    do: z.literal("gate_action"),
    task: z.int(),
    gate: z.int(),
    action: z.enum(gateActions),
  }),
  z.strictObject({
    ...step,
    do: z.literal("end_session"),
    session,
    exit: z.enum(sessionExits),
    workspace: z.string().optional(),
  }),
  z.strictObject({ ...step, do: z.literal("answer"), ask: z.int().min(1), text: z.string() }),
  z.strictObject({ ...step, do: z.literal("resolve_blocker"), blocker: z.int().min(1) }),
  z.strictObject({ ...step, do: z.literal("approve"), suggestion: z.int().min(1) }),
  z.strictObject({ ...step, do: z.literal("reject"), suggestion: z.int().min(1) }),
  z.strictObject({ ...step, do: z.literal("comment"), task: z.int(), author: z.string(), body: z.string() }),
  z.strictObject({ ...step, do: z.literal("set_status"), task: z.int(), status: taskStatus }),
]);

const taskOutcome = z.strictObject({
  status: z.string(),
  origin: z.string(),
  feature: z.string(),
  stuck_count: z.int(),
  sessions: z.int(),
  depends_on: z.array(z.int()),
  gates: z.array(z.string()),
  stagnation: z.strictObject({
    inferred_stucks: z.int(),
    partials_in_a_row: z.int(),
    unchanged_in_a_row: z.int(),
    failed_gate_attempts: z.int(),
  }),
  /** Its statuses in order of change, sampled after each step. */
  trail: z.array(z.string()),
});

const sessionOutcome = z.strictObject({
  task: z.int(),
  closing: z.string().nullable(),
  inferred: z.boolean(),
  outcome: z.string().nullable(),
  states: z.array(z.string()),
  irregular: z.int(),
  signals: z.int(),
  late: z.int(),
});

/** The end state of a simulation; `signalbox sims` compares it field by field. */
const outcome = z.strictObject({
  tasks: z.record(z.string(), taskOutcome),
  sessions: z.record(z.string(), sessionOutcome),
  asks: z.array(z.strictObject({ task: z.int(), blocking: z.boolean(), state: z.string() })),
  blockers: z.array(
    z.strictObject({ task: z.int(), kind: z.string(), state: z.string(), depends_on: z.int().nullable() }),
  ),
  suggestions: z.array(z.strictObject({ kind: z.string(), state: z.string(), task: z.int().nullable() })),
  learnings: z.array(z.strictObject({ kind: z.string(), scope: z.string(), task: z.int() })),
  flags: z.strictObject({ info: z.int(), warning: z.int(), blocking: z.int() }),
  comments: z.record(z.string(), z.int()),
  ready: z.array(z.int()),
  rejected: z.int(),
});

const simulation = z.strictObject({
  id: z.string(),
  batch: z.string(),
  style: z.string(),
  provenance: z.string(),
  title: z.string(),
  situation: z.string(),
  recorded_verbs: z.array(z.string()).optional(),
  project: z.strictObject({
    features: z.array(entry),
    disciplines: z.array(entry),
    tasks: z.array(
      z.strictObject({
        id: z.int(),
        title: z.string(),
        description: z.string(),
        feature: z.string(),
        discipline: z.string(),
        priority: priority.default("medium"),
        status: taskStatus.default("pending"),
        depends_on: z.array(z.int()).default([]),
        verify: z.array(z.string()).default([]),
      }),
    ),
  }),
  steps: z.array(simulationStep),
  expected: outcome,
});

export type Simulation = z.infer<typeof simulation>;
export type SimulationStep = z.infer<typeof simulationStep>;
export type Outcome = z.infer<typeof outcome>;

/** A file or folder without a valid simulation. `message` names it and the fault. */
export class SimulationError extends ToldError<"usage"> {
  override readonly name = "SimulationError";
  readonly fault = "usage";

  constructor(message: string, options?: ErrorOptions) {
    super("usage", message, options);
  }
}

/**
 * Reads simulations from files, and from all `.json` files of folders, sorted by name.
 *
 * @throws SimulationError
 */
export function loadSimulations(paths: readonly string[]): Simulation[] {
  return simulationFiles(paths).map(loadSimulation);
}

/**
 * The named files, and all `.json` files of the named folders, sorted by name.
 *
 * @throws SimulationError: a file does not exist, or a folder has none
 */
export function simulationFiles(paths: readonly string[]): string[] {
  return paths.flatMap(filesAt);
}

function filesAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SimulationError(`There is no file or folder ${path}.`);
  if (!stats.isDirectory()) return [path];
  const files = readdirSync(path).filter((file) => file.endsWith(".json"));
  if (files.length === 0) throw new SimulationError(`The folder ${path} has no simulations (*.json).`);
  return files.sort().map((file) => join(path, file));
}

/** Reads one simulation. @throws SimulationError with the file and the fault */
export function loadSimulation(path: string): Simulation {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new SimulationError(`${path} is not JSON: ${String(cause)}`, { cause });
  }
  const parsed = simulation.safeParse(content, inOurWords);
  if (parsed.success) return parsed.data;
  throw new SimulationError(`${path} is not a simulation: ${describeIssues(parsed.error, "simulation")}.`);
}
