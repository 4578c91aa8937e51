import { z } from "zod";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireFeature, requireTask, type State } from "../decisions/state.ts";
import { name, position } from "../events/types/fields.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { learningAdded, learningMarked, learningSplit } from "../events/types/learnings.ts";
import { learningScopes } from "../events/types/signals.ts";
import { quoteLine, tableLines } from "../lib/terminal/output.ts";
import { keptLearning } from "../queries/kept-learning.ts";
import { type Learning, listLearnings as learningsOf } from "../queries/learnings.ts";
import { byHumans } from "./by-humans.ts";
import type { CommandWords } from "./command-words.ts";
import { defineGroup } from "./group.ts";
import { kept, keptLearningLine } from "./kept-learning.ts";
import { defineOperation } from "./operation.ts";
import { definePages } from "./reading.ts";

const { text, kind } = learningAdded.payload.shape;

/**
 * Adds a learning without a verb of a session. Repeated words merge with the existing entry
 * (src/projections/learnings.ts). Without a feature it applies to the whole project; the default
 * kind is a discovery. `source` is the caller's claim; the event's actor says who really added it.
 *
 * @throws Refusal `not_found`: the feature or the task
 */
export const addLearning = defineOperation({
  type: "learning.added",
  input: learningAdded.payload.extend({ kind: kind.optional() }),
  plan({ kind = "discovery", ...learning }, state) {
    if (learning.feature !== undefined) requireFeature(state, learning.feature);
    if (learning.task !== undefined) requireTask(state, learning.task);
    return [{ type: "learning.added", payload: givenFields({ ...learning, kind }) }];
  },
  answer: ({ event, readModel }) => keptLearning(readModel, event.position),
  command: {
    name: "add",
    does: "add a learning; one with the words of an existing entry is merged into it",
    takes: {
      text: ["<text>", "what was learned"],
      feature: ["--feature <name>", "the feature it is about; without it, the whole project"],
      kind: ["--kind <kind>", "what kind of learning it is", { absent: "discovery" }],
      reason: ["--reason <text>", "why it is so"],
      source: ["--source <who>", "who learned it", { absent: "human" }],
      task: ["--task <id>", "the task during which it was learned"],
    },
    example: "'Orders come sorted by date.'",
    says: keptLearningLine,
  },
  tool: {
    name: "append_learning",
    title: "Record a learning about the project",
    description:
      "Add a learning about the whole project. One that says the same as an entry is merged into it.",
    takes: z.strictObject({ text }),
    input: ({ text }) => ({ text, source: "agent" as const }),
    gives: kept,
    answer: ({ event, readModel }) => keptLearning(readModel, event.position),
    effect: "creating",
    example: { text: "The test database must be migrated before the suite is run." },
  },
});

/** Ordered by id; a search gives the best match first. */
const listLearnings = definePages({
  input: z.strictObject({
    search: z.string().optional(),
    scope: z.enum(learningScopes).optional(),
    feature: name.optional(),
  }),
  rows: "learnings",
  key: position,
  keyOf: ({ id }: Learning) => id,
  ask: (readModel, input) => learningsOf(readModel, input),
  command: {
    name: "list",
    isDefault: true,
    does: "list learnings by id; with --search, best match first",
    takes: {
      search: ["--search <words>", "match all words (prefixes allowed)"],
      scope: ["--scope <scope>", "only learnings of this scope"],
      feature: ["--feature <name>", "only learnings of this feature"],
    },
    example: "--search 'redis cache'",
    says: (learnings) =>
      tableLines(
        ["id", "kind", "concerns", "said", "mark", "text"],
        learnings.map((learning) => [
          learning.id,
          learning.kind,
          concernOf(learning),
          `${learning.confirmations}×`,
          learning.mark === "none" ? "" : learning.mark,
          quoteLine(learning.text),
        ]),
      ),
  },
});

function concernOf({ scope, task_id, feature }: Learning): string {
  if (scope === "project") return "project";
  return scope === "task" ? `task ${task_id}` : quoteLine(feature ?? "", 24);
}

/**
 * Pins a learning, retires it, or reverts either.
 *
 * @throws Refusal `not_found`: the learning; `nothing_to_do`: it is so already; `not_possible`: the
 * caller is an agent
 */
export const markLearning = defineOperation({
  type: "learning.marked",
  input: learningMarked.payload,
  permit: byHumans("Only a human pins or retires a learning."),
  plan(input, state) {
    const { mark } = requireLearning(state, input.learning);
    if (mark === input.mark) {
      const is = mark === "none" ? "neither pinned nor retired" : `${mark} already`;
      throw new Refusal("nothing_to_do", `Learning ${input.learning} is ${is}.`);
    }
    return [{ type: "learning.marked", payload: givenFields(input) }];
  },
  answer: ({ input: { learning, mark }, event }) => ({ learning, mark, position: event.position }),
  command: [
    marking("pin", "pinned", "put a learning first in prompts, before all others of its scope"),
    marking("retire", "retired", "leave a learning out of prompts and learnings.txt; search still finds it"),
    marking("release", "none", "undo the pinning or retiring of a learning"),
  ],
  page: { name: "mark_learning", takes: learningMarked.payload, input: givenFields },
});

type Mark = PayloadOf<"learning.marked">["mark"];

/** The command that sets a learning's mark. */
function marking(
  command: string,
  mark: Mark,
  does: string,
): CommandWords<PayloadOf<"learning.marked">, { readonly learning: number }> {
  return {
    name: command,
    does,
    sets: { mark },
    takes: { learning: ["<id>", "the learning's id"], reason: ["--reason <text>", "why"] },
    example: "41",
    says: ({ learning }) =>
      `Learning ${learning} is ${mark === "none" ? "neither pinned nor retired" : mark} now.`,
  };
}

/**
 * Splits a wrongly merged report off a learning.
 *
 * @throws Refusal `not_found`: there is no report at that position; `not_possible`: it is the
 * entry's own first report, or the caller is an agent
 */
export const splitLearning = defineOperation({
  type: "learning.split",
  input: learningSplit.payload.pick({ source: true }),
  permit: byHumans("Only a human splits a learning."),
  plan({ source }, { learningSources }) {
    const row = learningSources.get(source);
    if (!row) {
      throw new Refusal(
        "not_found",
        `There is no learning at position ${source}. Run \`signalbox learning show\` to see all learnings.`,
      );
    }
    const learning = row.learning_id;
    if (learning === source) {
      throw new Refusal(
        "not_possible",
        `Learning ${source} is the entry itself: name a position that was joined with it.`,
      );
    }
    return [{ type: "learning.split", payload: { learning, source } }];
  },
  answer: ({ input: { source: learning }, event }) => ({ learning, position: event.position }),
  command: {
    name: "split",
    does: "split a wrongly merged report into its own learning",
    takes: { source: ["<position>", "the position to split off; see `signalbox why learning ID`"] },
    example: "96",
    says: ({ learning }) => `Learning ${learning} is now an entry of its own.`,
  },
  page: {
    name: "split_learning",
    takes: learningSplit.payload.pick({ source: true }),
    input: (given) => given,
  },
});

function requireLearning({ learnings, learningSources }: State, id: number) {
  const entry = learnings.get(id);
  if (entry) return entry;
  const joined = learningSources.get(id)?.learning_id;
  const meant =
    joined === undefined
      ? "Run `signalbox learning list` to see all learnings."
      : `That position is part of learning ${joined}.`;
  throw new Refusal("not_found", `There is no learning ${id}. ${meant}`, { field: "learning" });
}

export const learnings = defineGroup({
  name: "learning",
  does: "learnings, deduplicated",
  has: [addLearning, listLearnings, markLearning, splitLearning],
});
