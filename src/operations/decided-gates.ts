import { stateOf } from "../decisions/state.ts";
import type { Event } from "../events/types/index.ts";
import { visibleLines } from "../events/visible.ts";
import type { ReadModel } from "../projections/read-model.ts";

/** What a human decided on gates, each with its whole command; nothing for other events. */
export function decidedLines(readModel: ReadModel, events: readonly Event[]): string[] {
  const { gates } = stateOf(readModel);
  return events.filter(isOnGate).flatMap(({ type, payload: { task, gate } }) => {
    const row = gates.get(task, gate);
    if (!row) return [];
    return [
      `Gate ${gate} of task ${task} ${BECAME[type]}:`,
      ...visibleLines(row.command).map((line) => `  ${line}`),
    ];
  });
}

type OnGate = Event<"gate.approved" | "gate.rejected" | "gate.reopened">;

const BECAME: Readonly<Record<OnGate["type"], string>> = {
  "gate.approved": "is approved and can be run",
  "gate.rejected": "is rejected, and never run",
  "gate.reopened": "waits for your approval again",
};

function isOnGate(event: Event): event is OnGate {
  return Object.hasOwn(BECAME, event.type);
}
