import { onTestFinished } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { closeStore, type Store } from "../../src/decisions/store.ts";
import type { Draft, Event } from "../../src/events/types/index.ts";
import type { SessionExit } from "../../src/events/types/sessions.ts";
import type { Verb } from "../../src/events/types/signals.ts";
import { buildPrompt } from "../../src/loop/prompt/build.ts";
import type { FittedPart, PartName, Prompt } from "../../src/loop/prompt/part.ts";
import type { RecipeName } from "../../src/mcp/recipes.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { openMemoryStore } from "../properties/executor.ts";

export type Said = readonly [Verb, Record<string, unknown>];

/** A project in memory with features `core` and `reports`, and what tests do with it. */
export interface Given {
  readonly store: Store;
  decides(decision: Decision): Promise<readonly Event[]>;
  decidesAs(actor: string, decision: Decision): Promise<readonly Event[]>;
  /** What an agent or a human cannot do by a decision alone. */
  appends(...events: readonly Draft[]): Promise<void>;
  /** A session of a task, forced where it must be, in which the agent says this; it ends unless `exit` is null. */
  session(id: string, task: number, said: readonly Said[], exit?: SessionExit | null): Promise<void>;
  /** The position of the last event. */
  head(): Promise<number>;
  /** The ids of what agents raised, in their order. */
  idsOf(raised: "questions" | "blockers" | "suggestions"): number[];
  prompt(task: number, options?: { tokens?: number; session?: string; recipe?: RecipeName }): Prompt;
}

export async function givenProject(): Promise<Given> {
  const store = openMemoryStore();
  onTestFinished(() => closeStore(store));
  const decidesAs = (actor: string, decision: Decision) => decide(store, decision, { actor });
  const decides = (decision: Decision) => decidesAs("human", decision);
  const given: Given = {
    store,
    decides,
    decidesAs,
    async appends(...events) {
      await store.log.append(events);
      await catchUp(store.readModel, store.log);
    },
    async session(session, task, said, exit = "exited") {
      await decides(startSession({ task, session, force: true }));
      for (const [verb, args] of said) {
        const id = store.environment.newId();
        await recordSignal(store, { task, session, actor: "agent" }, { verb, args, id });
      }
      if (exit === null) await catchUp(store.readModel, store.log);
      else await decides(endSession({ session, exit }));
    },
    head: () => store.log.head(),
    idsOf: (raised) =>
      store.readModel.database.prepare<[], number>(`SELECT id FROM ${raised} ORDER BY id`).pluck().all(),
    prompt: (task, { tokens = 12_000, ...options } = {}) =>
      buildPrompt(store.readModel, { task, tokens, ...options }),
  };
  await decides(createFeature({ name: "core", description: "The heart of it." }));
  await decides(
    createFeature({ name: "reports", display_name: "Reports", description: "Numbers for people." }),
  );
  await decides(createDiscipline({ name: "backend", description: "Servers and data." }));
  return given;
}

export function partOf(prompt: Prompt, name: PartName): FittedPart {
  const part = prompt.parts.find((one) => one.name === name);
  if (!part) throw new Error(`The prompt has no part ${name}.`);
  return part;
}

/** The lines of a part as they stand in the text, without its heading. */
export function linesOf(prompt: Prompt, name: PartName): string[] {
  const { heading } = partOf(prompt, name);
  const [, after] = `\n${prompt.text}`.split(`\n# ${heading}\n\n`);
  return after === undefined ? [] : (after.split("\n\n# ")[0] ?? "").trimEnd().split("\n");
}
