import type { z } from "zod";
import type { EventDefinition, NewEvent, StoredEvent } from "../event.ts";
import { agentEvents } from "./agents.ts";
import { blockerEvents } from "./blockers.ts";
import { commentEvents } from "./comments.ts";
import { disciplineEvents } from "./disciplines.ts";
import { featureEvents } from "./features.ts";
import { flagEvents } from "./flags.ts";
import { gateRunEvents } from "./gate-runs.ts";
import { gateActed, gateEvents } from "./gates.ts";
import { hostEvents } from "./hosts.ts";
import { learningEvents } from "./learnings.ts";
import { loopEvents } from "./loops.ts";
import { mergeEvents } from "./merges.ts";
import { noticeEvents } from "./notices.ts";
import { ownDefinition } from "./own.ts";
import { planEvents } from "./plans.ts";
import { policyEvents } from "./policies.ts";
import { projectEvents } from "./projects.ts";
import { promptEvents } from "./prompts.ts";
import { questionEvents } from "./questions.ts";
import { redactionEvents } from "./redactions.ts";
import { sessionEvents } from "./sessions.ts";
import { signals } from "./signals.ts";
import { suggestionEvents } from "./suggestions.ts";
import { taskEvents } from "./tasks.ts";
import { workEvents } from "./work.ts";
import { workspaceEvents } from "./workspaces.ts";

/** Every type of event that can be in a log. Adding one: define it in its family's file, and list it at the end of that. */
export const eventDefinitions = [
  ...signals,
  ...sessionEvents,
  ...taskEvents,
  ...featureEvents,
  ...disciplineEvents,
  ...commentEvents,
  ...learningEvents,
  ...projectEvents,
  ...questionEvents,
  ...blockerEvents,
  ...suggestionEvents,
  ...planEvents,
  ...flagEvents,
  ...gateEvents,
  ...gateRunEvents,
  gateActed,
  ...policyEvents,
  ...loopEvents,
  ...workEvents,
  ...hostEvents,
  ...promptEvents,
  ...agentEvents,
  ...workspaceEvents,
  ...mergeEvents,
  ...noticeEvents,
  ...redactionEvents,
] as const;

type Definition = (typeof eventDefinitions)[number];
export type EventType = Definition["type"];
export type PayloadOf<Type extends EventType> = z.infer<Extract<Definition, { type: Type }>["payload"]>;

/** A stored event of one of the known types; `Event<"signal.ask">` has that type's payload. */
export type Event<Type extends EventType = EventType> = {
  [T in Type]: StoredEvent<T, PayloadOf<T>>;
}[Type];

/** A new event of one of the known types. */
export type Draft<Type extends EventType = EventType> = {
  [T in Type]: NewEvent<T, PayloadOf<T>>;
}[Type];

const byType: ReadonlyMap<string, EventDefinition> = new Map(
  // Widens one payload's definition to any payload; callers validate the payload first.
  eventDefinitions.map((definition) => [definition.type, definition as unknown as EventDefinition]),
);

/** The definition of a type, or undefined if this version of the program does not know it. */
export function definitionOf(type: string): EventDefinition | undefined {
  return byType.get(type) ?? ownDefinition(type);
}
