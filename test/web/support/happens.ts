import { v7 } from "uuid";
import type { Project } from "../../../src/api/project.ts";
import type { Draft } from "../../../src/events/types/index.ts";

/** Appends what happened, in the words of test/projections/board/history.ts. */
export async function happens(project: Project, ...drafts: readonly Draft[]): Promise<void> {
  await project.log.append(drafts.map((draft) => ({ id: v7(), ...draft })));
}

/** A learning of each text, as a session that runs says it; for one append. */
export function learnedOf({ task, session }: { task: number; session: string }, texts: readonly string[]) {
  return texts.map((text) => ({
    id: v7(),
    type: "signal.learned" as const,
    actor: "agent",
    correlation: session,
    payload: { task, session, text, kind: "discovery" as const },
  }));
}
