import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Event } from "../../events/types/index.ts";
import { taskIn } from "../../events/types/subject.ts";
import { LogError } from "../../lib/log-error.ts";
import { undo } from "../../operations/inbox-undo.ts";
import type { FleetWatch } from "../../outside/fleet/view.ts";
import { ReadModelError } from "../../read-model/read-model-error.ts";
import { lookAt } from "./live.ts";
import { acted, type Effect, refused, undone } from "./pressed.ts";
import { type WatchState, withOverview } from "./state.ts";

/**
 * Takes the decision that a key asked for, and returns what it makes of the state: what was recorded and where, or why
 * nothing was.
 */
export async function perform(
  project: Project,
  effect: Extract<Effect, { kind: "act" | "undo" }>,
  fleet?: FleetWatch | undefined,
): Promise<(state: WatchState) => WatchState> {
  try {
    const [event] = await project.decide(
      effect.kind === "act" ? effect.act.decision(effect.item, effect.text) : undo({ id: effect.done.id }),
    );
    const text = await wordsFor(project, event);
    // What is said and what is listed belong together, in one frame.
    const view = await lookAt(project, fleet);
    return (state) =>
      withOverview(
        effect.kind === "act"
          ? acted(state, effect, event.position, text)
          : undone(state, effect.done, { tone: "good", text }),
        view,
      );
  } catch (error) {
    if (!isAnswer(error)) throw error;
    const text = error.message;
    return (state) =>
      effect.kind === "act"
        ? refused(state, effect.item, text)
        : undone(state, effect.done, { tone: "bad", text });
  }
}

async function wordsFor({ queries }: Project, event: Event | undefined): Promise<string> {
  if (!event) return "";
  const of = taskIn(event.payload);
  const task = of === undefined ? undefined : await queries.taskRow(of);
  return `${event.type} at #${event.position}${task ? `; task ${task.id} is ${task.status}` : ""}.`;
}

/** A refusal, or a disk that does not take the act now: the human is told, and the view goes on. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Refusal || error instanceof LogError || error instanceof ReadModelError;
}
