import { z } from "zod";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireTask } from "../decisions/state.ts";
import { taskId } from "../events/types/fields.ts";
import { alwaysPassing } from "../events/types/gate-words.ts";
import { gateDeclaration } from "../events/types/gates.ts";
import { taskEnriched } from "../events/types/tasks.ts";
import { findTask, type TaskView } from "../queries/tasks.ts";
import { takingFields } from "./command-words.ts";
import { addedGateFields, gateFields, verifyOptions } from "./gate-fields.ts";
import { declareGates } from "./gates.ts";
import { defineOperation } from "./operation.ts";
import { enrichingOptions, fromArgs, fromOptions, planArgs } from "./task-fields.ts";
import { taskLines } from "./task-lines.ts";
import { outlook, outlookOf } from "./task-outlook.ts";
import { mayEnrich } from "./task-rights.ts";

const input = taskEnriched.payload.extend({ gates: z.array(gateDeclaration).optional() });
const { acceptance_criteria, context_files } = planArgs;

/**
 * Gives a draft or a pending task pseudocode, and adds gates to it. A draft becomes pending, except
 * an agent's proposal, which waits for a human (docs/rules.md, What an agent may do to a status).
 * Criteria and files replace the old ones.
 *
 * @throws Refusal `not_found`; `not_possible`: its work has begun or is over; as `declareGates`
 */
export const enrichTask = defineOperation({
  type: "task.enriched",
  input,
  permit: mayEnrich,
  plan({ gates = [], ...fields }, state) {
    const { task: id } = fields;
    const { status } = requireTask(state, id);
    if (status !== "draft" && status !== "pending") {
      throw new Refusal(
        "not_possible",
        `Task ${id} is ${status}; only a draft or pending task can be enriched. To change its other ` +
          `fields, use update_task or \`signalbox task set ${id}\`.`,
      );
    }
    return [
      { type: "task.enriched", payload: givenFields(fields) },
      ...(gates.length > 0 ? declareGates({ task: id, gates }).plan(state) : []),
    ];
  },
  answer: ({ input, readModel }) => findTask(readModel, input.task) ?? null,
  command: takingFields(input.extend(gateFields), fromOptions, {
    name: "enrich",
    does: "add pseudocode to a draft or pending task; a draft becomes pending; --verify adds gates",
    takes: {
      task: ["<id>", "the task's id"],
      pseudocode: ["<pseudocode>", "how the work could be done"],
      ...enrichingOptions,
      ...verifyOptions,
    },
    example: "7 'for each order: write a line'",
    says: (task: TaskView | null, { task: id, gates = [] }) => [
      ...taskLines(task, id),
      ...alwaysPassing(gates),
    ],
  }),
  tool: {
    name: "enrich_task",
    title: "Enrich a draft",
    description:
      "Adds pseudocode to a draft or pending task. A draft becomes pending, unless an agent proposed " +
      "it: then a human decides.",
    takes: z.strictObject({
      id: taskId,
      pseudocode: taskEnriched.payload.shape.pseudocode,
      acceptance_criteria,
      context_files,
      ...addedGateFields,
    }),
    input: ({ id: task, ...args }) => ({ task, ...fromArgs(args) }),
    gives: outlook,
    answer: ({ input, readModel }) => outlookOf(readModel, input.task, input.gates),
    effect: "changing",
    example: { id: 7, pseudocode: "for each order: write a line" },
    target: { field: "id", of: "task" },
  },
});
