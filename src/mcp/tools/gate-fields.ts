import { z } from "zod";
import { GATES_LIMIT } from "../../events/types/fields.ts";
import {
  GATE_MAX_DEFAULT,
  GATE_TIMEOUT_DEFAULT_S,
  type GateDeclaration,
  gateDeclaration,
} from "../../events/types/gates.ts";
import { ToolRefusal } from "../tool-refusal.ts";

const { command, max, timeout_s } = gateDeclaration.shape;

/** What declares gates in the tools that write tasks; a gate of an agent waits for a human's approval. */
export const gateFields = {
  verify: z.array(command).max(GATES_LIMIT).optional(),
  verify_max: max.optional(),
  verify_timeout: timeout_s.optional(),
};

/** The same, for tools on a task that is there. */
export const addedGateFields = {
  ...gateFields,
  verify: gateFields.verify.describe("Adds gates."),
};

/** The gates that the fields declare, in their order. @throws ToolRefusal: a number that would do nothing */
export function gatesOf({
  verify = [],
  verify_max,
  verify_timeout,
}: z.output<z.ZodObject<typeof gateFields>>): readonly GateDeclaration[] {
  const idle = Object.entries({ verify_max, verify_timeout }).find(([, value]) => value !== undefined);
  if (verify.length === 0 && idle) {
    throw new ToolRefusal(
      `Nothing was recorded: \`${idle[0]}\` is for the commands of \`verify\`, and none is given. Give \`verify\`, or leave it out.`,
    );
  }
  return verify.map((text) => ({
    command: text,
    max: verify_max ?? GATE_MAX_DEFAULT,
    timeout_s: verify_timeout ?? GATE_TIMEOUT_DEFAULT_S,
  }));
}
