import type { Event } from "../events/types/index.ts";
import { visibleLines } from "../lib/visible.ts";
import { type TaskDetails, taskDetails } from "../queries/tasks.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { AnyDone } from "./operation.ts";

type OnGate = Event<"gate.approved" | "gate.rejected" | "gate.reopened">;

const BECAME: Readonly<Record<OnGate["type"], string>> = {
  "gate.approved": " is approved and can run",
  "gate.rejected": " is rejected and will never run",
  "gate.reopened": " is waiting for your approval again",
};

/** A human's decision on gates, each with its full command; nothing for other events. */
export function decidedLines(readModel: ReadModel, events: readonly Event[]): string[] {
  const ofPlans = events.flatMap((event) =>
    event.type === "plan.approved" ? withPlan(readModel, event) : [],
  );
  if (ofPlans.length > 0) return ofPlans;
  const [first] = events;
  if (!first || !isOnGate(first)) return [];
  const { task, gates } = decidedGates({ input: first.payload, events, readModel });
  return commandLines(task, gates, BECAME[first.type]);
}

/** The gates that were approved with a plan's tasks. */
function withPlan(readModel: ReadModel, { position, payload }: Event<"plan.approved">): string[] {
  return payload.tasks.flatMap((task) => {
    const gates = taskDetails(readModel, task)?.gates ?? [];
    const approved = gates.filter(({ approval_position }) => approval_position === position);
    return commandLines(task, approved, BECAME["gate.approved"]);
  });
}

/** The output of a command that decides on gates: the same, and the task's new status. */
export function became(type: OnGate["type"]): (decided: ReturnType<typeof decidedGates>) => string[] {
  return ({ task, gates, ready, status }) => [
    ...commandLines(task, gates, BECAME[type]),
    `The task is ${ready ? "ready" : status}.`,
  ];
}

/** Gates, each with its full command. @param how the decision in words */
export function commandLines(task: number, gates: TaskDetails["gates"], how = ""): string[] {
  return gates.flatMap(({ gate, command }) => [
    `Gate ${gate} of task ${task}${how}:`,
    ...visibleLines(command).map((line) => `  ${line}`),
  ]);
}

/** A task's status, and the gates that these events decide on. */
export function decidedGates({ input: { task }, events, readModel }: OnGates) {
  const details = taskDetails(readModel, task);
  const numbers = new Set(events.filter(isOnGate).map(({ payload }) => payload.gate));
  const gates = details?.gates.filter(({ gate }) => numbers.has(gate)) ?? [];
  return { task, status: details?.status, ready: details?.ready, gates };
}

type OnGates = Omit<AnyDone<{ readonly task: number }>, "event">;

function isOnGate(event: Event): event is OnGate {
  return Object.hasOwn(BECAME, event.type);
}
