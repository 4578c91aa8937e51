import type { z } from "zod";
import type { EventDefinition, NewEvent, StoredEvent } from "../event.ts";
import * as agents from "./agents.ts";
import * as blockers from "./blockers.ts";
import * as comments from "./comments.ts";
import * as disciplines from "./disciplines.ts";
import * as features from "./features.ts";
import * as gateRuns from "./gate-runs.ts";
import * as gates from "./gates.ts";
import * as learnings from "./learnings.ts";
import * as loops from "./loops.ts";
import * as merges from "./merges.ts";
import { ownDefinition } from "./own.ts";
import * as policies from "./policies.ts";
import * as projects from "./projects.ts";
import * as prompts from "./prompts.ts";
import * as questions from "./questions.ts";
import * as redactions from "./redactions.ts";
import * as sessions from "./sessions.ts";
import { signals } from "./signals.ts";
import * as suggestions from "./suggestions.ts";
import * as tasks from "./tasks.ts";
import * as workspaces from "./workspaces.ts";

/** Every type of event that can be in a log. Adding one: define it in its family's file and list it here. */
export const eventDefinitions = [
  ...signals,
  sessions.sessionStarted,
  sessions.sessionStateReported,
  sessions.sessionEnded,
  tasks.taskCreated,
  tasks.taskChanged,
  tasks.taskEnriched,
  tasks.taskStatusSet,
  tasks.taskAccepted,
  tasks.taskSentBack,
  tasks.taskDeleted,
  features.featureCreated,
  features.featureChanged,
  features.featureDeleted,
  disciplines.disciplineCreated,
  disciplines.disciplineChanged,
  disciplines.disciplineDeleted,
  comments.commentAdded,
  comments.commentChanged,
  comments.commentDeleted,
  learnings.learningAdded,
  learnings.learningMarked,
  learnings.learningSplit,
  projects.projectDescribed,
  projects.progressNoted,
  questions.questionAnswered,
  questions.questionDismissed,
  questions.questionReopened,
  blockers.blockerResolved,
  blockers.blockerDismissed,
  blockers.blockerReopened,
  suggestions.suggestionApproved,
  suggestions.suggestionRejected,
  suggestions.suggestionReopened,
  gates.gateDeclared,
  gates.gateApproved,
  gates.gateRejected,
  gates.gateReopened,
  gateRuns.gateStarted,
  gateRuns.gateAttempted,
  gateRuns.gateBaselined,
  gates.gateActed,
  policies.policySet,
  loops.loopStarted,
  loops.loopWaiting,
  loops.loopStopped,
  prompts.promptBuilt,
  agents.agentStarted,
  agents.agentProgressed,
  agents.agentEnded,
  workspaces.workspaceReported,
  workspaces.workspaceCommitted,
  workspaces.workspaceConflicted,
  merges.mergeProposed,
  merges.mergeQueued,
  merges.mergeBegun,
  merges.mergeGateAttempted,
  merges.mergeConflicted,
  merges.mergeGateFailed,
  merges.mergeWaits,
  merges.mergeReady,
  merges.mergeLanded,
  merges.mergeWithdrawn,
  merges.mergeReopened,
  redactions.eventRedacted,
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
