import { onTestFinished } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { closeStore, type Store } from "../../src/decisions/store.ts";
import type { Event } from "../../src/events/types/index.ts";
import type { Verb } from "../../src/events/types/signals.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { openMemoryStore } from "../properties/executor.ts";

/** What an agent says in a session that is open. */
export interface Said {
  readonly session: string;
  readonly task: number;
  readonly verb: Verb;
  readonly args: Record<string, unknown>;
}

/** What an agent's tool decides, whose own session is s-own. */
export interface ByAgent {
  readonly byAgent: Decision;
}

/** Something that happens in a project. */
export type Happens = Decision | ByAgent | Said;

export interface Given {
  readonly store: Store;
  decides(asked: Decision | ByAgent, key?: string): Promise<readonly Event[]>;
  does(...steps: readonly Happens[]): Promise<void>;
}

const agent = { actor: "agent", isOwn: (session: string) => session === "s-own" };

/** A store in memory with nothing in it. */
export function givenStore(): Given {
  const store = openMemoryStore();
  onTestFinished(() => closeStore(store));
  const decides = (asked: Decision | ByAgent, key?: string) => {
    if ("byAgent" in asked) return decide(store, asked.byAgent, { ...agent, key });
    return decide(store, asked, { actor: "human", key });
  };
  return {
    store,
    decides,
    async does(...steps) {
      for (const step of steps) {
        if ("verb" in step) await says(store, step);
        else await decides(step);
      }
    },
  };
}

async function says(store: Store, { session, task, verb, args }: Said): Promise<void> {
  const id = store.environment.newId();
  await recordSignal(store, { task, session, actor: "agent" }, { verb, args, id });
  await catchUp(store.readModel, store.log);
}

/** The positions of what an agent left in the project's first session. */
export const QUESTION = 6;
export const BLOCKER = 7;
export const PROPOSAL = 8;
export const IDEA = 9;
/** The draft that the proposal became. */
export const DRAFT = 3;

/**
 * The general feature and discipline, task 1 with a gate, task 2 that waits for task 1; the agent of session s-1 of task 1
 * left a question, a blocker, a proposed task and an idea.
 */
export async function givenProject(): Promise<Given> {
  const given = givenStore();
  const said = (verb: Verb, args: Record<string, unknown>): Said => ({
    session: "s-1",
    task: 1,
    verb,
    args,
  });
  await given.does(
    createFeature({ name: "general" }),
    createDiscipline({ name: "general" }),
    createTask({ title: "One", gates: [{ command: "npm test", max: 1, timeout_s: 60 }] }),
    createTask({ title: "Two", depends_on: [1] }),
    startSession({ task: 1, session: "s-1" }),
    said("ask", { question: "Tabs?", blocking: true }),
    said("blocked", { on: "Redis credentials", kind: "external" }),
    said("suggest", { what: "Export as XML", kind: "new_task", why: "It was asked for." }),
    said("suggest", { what: "Split the parser", kind: "refactor", why: "It is long." }),
    endSession({ session: "s-1", exit: "exited" }),
  );
  return given;
}
