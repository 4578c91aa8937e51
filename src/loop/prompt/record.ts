import { type Decision, decide } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Store } from "../../decisions/store.ts";
import type { Event } from "../../events/types/index.ts";
import type { Prompt } from "./part.ts";

/**
 * Records the sources of the prompt of an open session.
 *
 * @returns the event `prompt.built`
 * @throws Refusal `not_found`: there is no such session of the prompt's task; `session_ended`
 */
export async function recordPrompt(
  store: Store,
  prompt: Prompt,
  { session, actor, key }: { session: string; actor: string; key?: string | undefined },
): Promise<Event | undefined> {
  const [event] = await decide(store, promptBuilt(prompt, session), { actor, key });
  return event;
}

function promptBuilt(prompt: Prompt, session: string): Decision<"prompt.built"> {
  const { task, characters, tokens, cut, sha256 } = prompt;
  // Drops the oldest positions if there are more than an event can hold; no real budget has room
  // for so many.
  const positions = prompt.positions.slice(-POSITIONS_LIMIT);
  const payload = { session, ...(task !== null && { task }), positions, characters, tokens, cut, sha256 };
  return {
    type: "prompt.built",
    input: payload,
    plan(state) {
      const row = state.sessions.get(session);
      if (row?.task_id !== task) {
        throw new Refusal(
          "not_found",
          `${task === null ? "No plan" : `Task ${task}`} has no session ${session}.`,
        );
      }
      if (row.completed_at !== null) {
        throw new Refusal(
          "session_ended",
          `Session ${session} has already ended (${row.exit}); it can no longer read a prompt.`,
        );
      }
      return [{ type: "prompt.built", correlation: session, payload }];
    },
  };
}

const POSITIONS_LIMIT = 10_000;
