import { initProject, openProject, type Project } from "../../../src/api/project.ts";
import type { Draft } from "../../../src/events/types/index.ts";
import { environmentAt } from "../../events/given.ts";
import { freshFolder } from "../../support/project.ts";

/** Events, each with the minute before the present at which it is recorded; the earliest first. */
export type Work = readonly (readonly [number, Draft])[];

/** A project with a history whose times are known. Whoever makes it closes it. */
export async function projectWith(work: Work): Promise<{ project: Project; now: number }> {
  const now = Date.now() * 1_000;
  const clock = { now: now - (work[0]?.[0] ?? 0) * MINUTE };
  const environment = environmentAt(clock, "work");
  const folder = freshFolder();
  await initProject(folder, { environment });
  const project = await openProject(folder, { environment });
  for (const [minutes, event] of work) {
    clock.now = now - minutes * MINUTE;
    await project.log.append([event]);
  }
  clock.now = now;
  return { project, now };
}

const MINUTE = 60_000_000;

export function task(id: number, title: string): Draft<"task.created"> {
  return {
    type: "task.created",
    actor: "human",
    payload: {
      task: id,
      title,
      description: "",
      feature: "general",
      discipline: "general",
      priority: "medium",
      status: "pending",
      depends_on: [],
      accept: "auto",
      gates: [],
    },
  };
}

export function starts(session: string, of: number): Draft<"session.started"> {
  return { type: "session.started", actor: "driver", payload: { session, task: of, forced: false } };
}

export function ends(
  session: string,
  exit: Draft<"session.ended">["payload"]["exit"] = "exited",
): Draft<"session.ended"> {
  return { type: "session.ended", actor: "driver", payload: { session, exit } };
}

export function does(
  session: string,
  state: Draft<"session.state_reported">["payload"]["state"],
): Draft<"session.state_reported"> {
  return { type: "session.state_reported", actor: "agent", payload: { session, state } };
}

export function says(session: string, of: number, summary: string): Draft<"signal.done"> {
  return { type: "signal.done", actor: "agent", payload: { task: of, session, summary } };
}

export function notices(session: string, of: number, what: string): Draft<"signal.flag"> {
  return {
    type: "signal.flag",
    actor: "agent",
    payload: { task: of, session, what, severity: "info", category: "bug" },
  };
}

export function used(session: string, cost_usd: number, turns: number): Draft<"agent.ended"> {
  return { type: "agent.ended", actor: "driver", payload: { session, exit_code: 0, cost_usd, turns } };
}
