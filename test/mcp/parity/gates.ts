import { z } from "zod";
import { declareGates } from "../../../src/operations/gates.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import type { Row } from "./row.ts";

const gates = [{ command: "echo 12 passing", max: 5, timeout_s: 30 }];

export const gateRows = {
  verify: {
    given: [declareGates({ task: 7, gates }), startSession({ task: 7, session: "s-1" })],
    shows: {
      answer: z
        .looseObject({ gates: z.tuple([z.looseObject({})]) })
        .transform((said) => stateOf(said.gates[0])),
      printed: z.tuple([z.looseObject({})]).transform(([run]) => stateOf(run)),
    },
    command: ["gate", "run", "7", "1", "--session", "s-1"],
  },
} satisfies Record<string, Row>;

function stateOf({ gate, command, state, attempts, max_attempts }: Record<string, unknown>) {
  return { gate, command, state, attempts, max_attempts };
}
