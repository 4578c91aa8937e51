import { idFromKey } from "../events/ids.ts";
import { LogError } from "../events/log-error.ts";
import type { RecordedResult } from "../events/types/command-result.ts";
import type { Event, PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { requireRunnable } from "./gates.ts";
import { Refusal } from "./refusal.ts";
import { requireSession } from "./state.ts";
import type { Store } from "./store.ts";

/*
 * A run of a gate's command is two events: it is about to be run, which is a decision, and what came of it, which is a fact. The
 * second one has an id that follows from the first, so that a run ends once, whoever records its end.
 */

/**
 * The command of a gate is about to be run.
 *
 * @throws Refusal as `requireRunnable`; `session_ended`: no gate is run in the course of a session that has ended
 */
export function startGateRun(input: Omit<PayloadOf<"gate.started">, "command">): Decision<"gate.started"> {
  const { session } = input;
  return {
    type: "gate.started",
    input,
    plan(state) {
      const { command } = requireRunnable(state, input);
      if (session !== undefined && requireSession(state, session).completed_at !== null) {
        throw new Refusal("session_ended", `Session ${session} has ended, so its gates no longer run.`);
      }
      return [
        {
          type: "gate.started",
          ...(session !== undefined && { correlation: session }),
          payload: { ...input, command },
        },
      ];
    },
  };
}

/**
 * Records what came of a run. Where its end is recorded already, as by somebody who took its runner for dead, that stays.
 *
 * @returns the end as it is in the log
 * @throws LogError `invalid_event`, `busy`, `disk`
 */
export async function endGateRun(
  { log }: Pick<Store, "log">,
  start: Event<"gate.started">,
  result: RecordedResult,
): Promise<Event<"gate.attempted" | "gate.baselined">> {
  const { task, gate, session, command, baseline } = start.payload;
  const id = endOf(start);
  try {
    await log.append([
      {
        id,
        type: baseline ? "gate.baselined" : "gate.attempted",
        actor: start.actor,
        ...(start.correlation !== undefined && { correlation: start.correlation }),
        causation: start.id,
        payload: {
          task,
          gate,
          ...(session !== undefined && { session }),
          started: start.position,
          command,
          ...result,
        },
      },
    ]);
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "id_conflict") throw error;
  }
  const end = await log.find(id);
  if (end?.type === "gate.attempted" || end?.type === "gate.baselined") return end;
  throw new LogError("damaged", `The event after the start at ${start.position} does not end that gate run.`);
}

function endOf(start: Event<"gate.started">): string {
  return idFromKey(start.id, "ended");
}
