import { z } from "zod";
import { reportSignal } from "../../decisions/rules/signal-report.ts";
import { stateOf } from "../../decisions/state.ts";
import { position } from "../../events/types/fields.ts";
import { signals, type Verb } from "../../events/types/signals.ts";
import { verification } from "../../gates/verifying/verification.ts";
import { kept } from "../../operations/kept-learning.ts";
import { mustBeRebuilt } from "../../read-model/worker.ts";
import { type Call, defineTool, REPORTING, type Tool } from "../tool.ts";

const output = z.strictObject({
  position: position.describe("The signal's position in the log."),
  recorded: z.string(),
  next: z.string().describe("What to do next."),
});
const askOutput = output.extend({
  answer: z.string().optional().describe("A human's answer, if one was asked at once and answered."),
});

const learnedOutput = output.extend({ kept: kept.optional() });

const doneOutput = output.extend(verification.omit({ next: true }).partial().shape);

const OUTPUTS: Readonly<Partial<Record<Verb, z.ZodObject>>> = {
  ask: askOutput,
  done: doneOutput,
  learned: learnedOutput,
};

/** What the person who launched the server must fix. */
const LAUNCHED = {
  unknownTask: "The launcher of this server must set RALPH_TASK_ID to a task of the project.",
  otherTask: "The launcher of this server must set RALPH_TASK_ID and RALPH_SESSION_ID of one session.",
};

/** The eight verbs as tools: each definition in src/events/types/signals.ts gives one. */
export const signalTools: readonly Tool[] = signals.map(
  ({ verb, title, description, arguments: input, example: { task: _, session: __, ...example } }) =>
    defineTool({
      name: verb,
      title,
      description,
      input,
      output: OUTPUTS[verb] ?? output,
      annotations: REPORTING,
      command: `signal ${verb}`,
      example,
      terse: true,
      run: (args, { store, sessions, eventId }) =>
        reportSignal(store, sessions.current(), { verb, args, id: eventId }, LAUNCHED),
      ...(verb === "ask" && { afterwards: answerNow }),
      ...(verb === "done" && { afterwards: verifyNow }),
    }),
);

/** A done is a claim; the task's gates run and verify it. */
async function verifyNow(
  recorded: z.output<typeof output>,
  _args: Record<string, unknown>,
  { gates, sessions, key, store }: Call,
): Promise<z.output<typeof doneOutput>> {
  const { task, session } = sessions.current();
  if (!gates) return recorded;
  // Most tasks have none, and are answered at once; the read model was brought to the head before the done was recorded. Where it
  // must be rebuilt first, that is waited for: gates are not passed over.
  const mayHaveAny =
    gates.looksAt(session) ||
    (await mustBeRebuilt(store.readModel, store.log)) ||
    stateOf(store.readModel).gates.first(1, { task_id: task }).length > 0;
  return mayHaveAny ? gates.verifyDone(recorded, { task, session, key }) : recorded;
}

/**
 * A human may be there to answer; a caller that does not wait for the answer does not wait for the
 * human either.
 */
async function answerNow(
  recorded: z.output<typeof output>,
  { blocking }: Record<string, unknown>,
  { askHuman }: Call,
): Promise<z.output<typeof askOutput>> {
  return blocking === true && askHuman ? askHuman(recorded) : recorded;
}
