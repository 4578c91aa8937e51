import { taskChanged } from "../events/types/tasks.ts";
import { type GateFields, type GateLineFields, gatesAndCriteriaOf, gatesOf } from "./gate-fields.ts";
import { parseStatus } from "./values.ts";

const { criteria, depends_on, tags, hints, estimated_turns, context_files, output_artifacts } =
  taskChanged.payload.shape;

/** Options for a task's criteria and the files that its agent should know. */
export const enrichingOptions = {
  criteria: ["--criterion <text>", "what must be true of the work, for the prompt (repeatable)"],
  context_files: ["--context-file <path>", "a file that the agent should know (repeatable)"],
} as const;

/** The optional fields of a task, as options of `task add` and `task set`. */
export const fieldOptions = {
  description: ["--description <text>", "what to do"],
  feature: ["--feature <name>", "the feature it belongs to (default for a new task: general)"],
  discipline: ["--discipline <name>", "the kind of agent that works on it (default for a new task: general)"],
  priority: ["--priority <priority>", "how important it is (default for a new task: medium)"],
  status: [
    "--status <status>",
    "draft, pending, in_progress, needs_input, blocked, done, failed, skipped",
    { parse: parseStatus },
  ],
  depends_on: ["--depends-on <ids>", "tasks that must be done or skipped first, e.g. 3,5"],
  accept: ["--accept <who>", "human: a verified done waits for you"],
  ...enrichingOptions,
  tags: ["--tag <word>", "a label, shown in the prompt (repeatable)"],
  output_artifacts: [
    "--output-artifact <path>",
    "a file that the work makes or changes, or a glob (repeatable)",
  ],
  hints: ["--hints <text>", "hints for the agent that works on it"],
  estimated_turns: ["--estimated-turns <count>", "estimated number of agent turns"],
} as const;

/** The plan of a task in tools, which say `acceptance_criteria` for the events' `criteria`. */
export const planArgs = {
  acceptance_criteria: criteria,
  ...{ depends_on, tags, context_files, output_artifacts, hints, estimated_turns },
};

type Criteria = string[] | undefined;

/**
 * Converts a tool's arguments to the operation's input. @throws Refusal: a number for gates
 * although there are none
 */
export function fromArgs<Args extends GateFields & { acceptance_criteria?: Criteria }>({
  acceptance_criteria: criteria,
  verify,
  verify_max,
  verify_timeout,
  ...args
}: Args) {
  return { ...args, criteria, gates: gatesOf({ verify, verify_max, verify_timeout }) };
}

/** Converts a command's options to the operation's input. @throws BadValue, GateSyntaxError */
export function fromOptions<Given extends GateLineFields & { criteria?: Criteria }>({
  criteria,
  verify,
  verify_max,
  verify_timeout,
  lines,
  ...given
}: Given) {
  const declared = gatesAndCriteriaOf({ verify, verify_max, verify_timeout, lines });
  const all = [...(criteria ?? []), ...declared.criteria];
  return { ...given, criteria: all.length > 0 ? all : criteria, gates: declared.gates };
}
