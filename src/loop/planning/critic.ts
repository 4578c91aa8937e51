import { LINE_LIMIT } from "../../events/types/fields.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import { PLAN_LIMIT } from "../../events/types/plans.ts";
import { shorten } from "../../lib/shorten.ts";
import { oneLine } from "../../lib/visible.ts";
import type { PlannedTask, PlanView } from "../../queries/plans.ts";

type Fault = PayloadOf<"plan.checked">["faults"][number];

/** What can be looked up where the plan is for. */
export interface Place {
  /** Relative to the project's folder. */
  hasFile(path: string): boolean;
  /** Whether a shell would find it. */
  hasProgram(name: string): boolean;
}

/**
 * What is wrong with a plan, as far as a program can tell: it decides nothing, and a human sees it with the plan. In the order of
 * its tasks.
 */
export function criticize(
  { proposed }: Pick<PlanView, "proposed">,
  place: Place,
): Omit<PayloadOf<"plan.checked">, "plan"> {
  const before = orderOf(proposed);
  const faults = proposed.flatMap((task, index) => [
    ...unchecked(task),
    ...missingFiles(task, proposed, place),
    ...badCommands(task, place),
    ...tooLarge(task),
    ...sameFiles(task, proposed.slice(0, index), before),
  ]);
  const shown = faults
    .slice(0, PLAN_LIMIT)
    .map((fault) => ({ ...fault, says: shorten(oneLine(fault.says), LINE_LIMIT) }));
  return { faults: shown, more: faults.length - shown.length };
}

function unchecked({ id, gates, criteria }: PlannedTask): Fault[] {
  if (gates.length + criteria.length > 0) return [];
  return [
    {
      kind: "no_check",
      task: id,
      says: `Task ${id} has neither a gate nor a criterion: nothing says when it is done.`,
    },
  ];
}

/** A file that is there neither now nor after another task of the plan. */
function missingFiles(
  { id, context_files }: PlannedTask,
  all: readonly PlannedTask[],
  { hasFile }: Place,
): Fault[] {
  const made = new Set(all.flatMap(({ output_artifacts }) => output_artifacts));
  return context_files
    .filter((path) => !hasFile(path) && !made.has(path))
    .map((path) => ({
      kind: "missing_file" as const,
      task: id,
      says: `Task ${id} names ${path}, which does not exist.`,
    }));
}

/** A placeholder, or a program that nobody could start here. */
function badCommands({ id, gates }: PlannedTask, { hasProgram }: Place): Fault[] {
  return gates.flatMap((gate) => {
    if (PLACEHOLDER.test(gate))
      return [
        {
          kind: "bad_command" as const,
          task: id,
          says: `The gate \`${gate}\` of task ${id} is a placeholder: it passes without any work.`,
        },
      ];
    const program = programOf(gate);
    if (program === undefined || hasProgram(program)) return [];
    return [
      {
        kind: "bad_command" as const,
        task: id,
        says: `The gate \`${gate}\` of task ${id} cannot run: there is no ${program} here.`,
      },
    ];
  });
}

const PLACEHOLDER = /^\s*(?:true|:|exit 0|echo\b.*|sleep \d+)\s*$|T[O]DO|FIX[M]E|<[a-z][\w -]*>|\.\.\.$/;

/** The first word of a plain command line; undefined where a shell's syntax stands before it. */
function programOf(gate: string): string | undefined {
  const [word] = gate.trim().split(/\s+/);
  return word !== undefined && /^[\w./-]+$/.test(word) && !SHELL_WORDS.has(word) ? word : undefined;
}

const SHELL_WORDS: ReadonlySet<string> = new Set([
  "test",
  "cd",
  "if",
  "for",
  "while",
  "set",
  "export",
  "command",
  "exec",
  "eval",
  "source",
  ".",
  "type",
  "[",
  "!",
]);

function tooLarge({ id, estimated_turns, description, criteria }: PlannedTask): Fault[] {
  const turns = estimated_turns ?? 0;
  const why =
    turns > SESSION_TURNS
      ? `is estimated at ${turns} turns, and a session's work is about ${SESSION_TURNS} at most`
      : criteria.length > SESSION_CRITERIA
        ? `has ${criteria.length} criteria`
        : description.length > SESSION_WORDS
          ? `has a description of ${description.length} characters`
          : undefined;
  return why === undefined ? [] : [{ kind: "too_large", task: id, says: `Task ${id} ${why}: split it.` }];
}

const SESSION_TURNS = 100;
const SESSION_CRITERIA = 15;
const SESSION_WORDS = 6_000;

/** Two tasks without an order between them that make or change the same file. */
function sameFiles(
  task: PlannedTask,
  others: readonly PlannedTask[],
  before: ReadonlyMap<number, ReadonlySet<number>>,
): Fault[] {
  return others.flatMap((other) => {
    const path = task.output_artifacts.find((one) => other.output_artifacts.includes(one));
    if (path === undefined || before.get(task.id)?.has(other.id) || before.get(other.id)?.has(task.id))
      return [];
    const says = `Tasks ${other.id} and ${task.id} both change ${path}, and neither depends on the other.`;
    return [{ kind: "same_file" as const, task: task.id, says }];
  });
}

/** All tasks that come before each task. */
function orderOf(tasks: readonly PlannedTask[]): ReadonlyMap<number, ReadonlySet<number>> {
  const direct = new Map(tasks.map(({ id, depends_on }) => [id, depends_on]));
  const all = new Map<number, ReadonlySet<number>>();
  for (const { id } of tasks) {
    const found = new Set<number>();
    const open = [...(direct.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...(direct.get(next) ?? []));
    }
    all.set(id, found);
  }
  return all;
}
