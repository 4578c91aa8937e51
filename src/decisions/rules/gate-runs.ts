import type { RecordedResult } from "../../events/types/command-result.ts";
import type { Event, PayloadOf } from "../../events/types/index.ts";
import { idFromKey } from "../../lib/ids.ts";
import { LogError } from "../../lib/log-error.ts";
import type { Decision } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import { requireSession } from "../state.ts";
import type { Store } from "../store.ts";
import { requireRunnable } from "./gates.ts";

/*
 * A gate run is two events: its start, which is a decision, and its result, which is a fact. The
 * second one's id derives from the first, so that a run ends once, whoever records its end.
 */

/**
 * Records that a gate's command starts.
 *
 * @throws Refusal as `requireRunnable`; `session_ended`: no gate runs during a session that has
 * ended
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
 * Records the result of a run. An end recorded earlier stays, for example by a process that took
 * the runner for dead.
 *
 * @returns the end in the log
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
