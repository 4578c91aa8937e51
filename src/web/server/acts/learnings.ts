import { z } from "zod";
import { givenFields } from "../../../decisions/given-fields.ts";
import { markLearning, splitLearning } from "../../../decisions/learnings.ts";
import { learningMarks } from "../../../events/types/learnings.ts";
import { defineAct } from "./act.ts";

const position = z.int().min(1);

/** Pins a learning, retires it, or takes either back. */
export const markLearningAct = defineAct({
  name: "mark_learning",
  input: z.strictObject({
    learning: position,
    mark: z.enum(learningMarks),
    reason: z.string().max(10_000).optional(),
  }),
  plan: (input) => markLearning(givenFields(input)),
});

/** Takes out of a learning what was joined with it wrongly. */
export const splitLearningAct = defineAct({
  name: "split_learning",
  input: z.strictObject({ source: position }),
  plan: (input) => splitLearning(input),
});
