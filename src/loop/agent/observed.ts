import { map, mergeMap, type Observable, scan } from "rxjs";
import type { AgentFact, OutputLine, Problem, ReadLine, Usage } from "./facts.ts";

/** The facts from an agent's output so far. */
export interface Observed {
  readonly init: Extract<AgentFact, { kind: "init" }> | undefined;
  readonly result: Extract<AgentFact, { kind: "result" }> | undefined;
  /** Why its model gave no final answer. */
  readonly problem: Problem | undefined;
  /** Denied tools, by call id. */
  readonly denied: ReadonlyMap<string, string>;
  /** Its last message. */
  readonly lastWords: string;
  /** Files edited by its tools, with the names that it used. */
  readonly files: ReadonlySet<string>;
  /** The number of messages of the model. */
  readonly turns: number;
  /** Sums over those messages. */
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  /** The ids of the messages; one message comes in several lines, each with the same usage. */
  readonly messages: ReadonlySet<string>;
}

export const NOTHING_OBSERVED: Observed = {
  init: undefined,
  result: undefined,
  problem: undefined,
  denied: new Map(),
  lastWords: "",
  files: new Set(),
  turns: 0,
  usage: { input: 0, cached: 0, output: 0 },
  costUsd: undefined,
  messages: new Set(),
};

/** Emits the facts after each line that added one. */
export function observe(lines: Observable<OutputLine>, read: ReadLine): Observable<Observed> {
  return lines.pipe(
    map(read),
    mergeMap((facts) => facts),
    scan(after, NOTHING_OBSERVED),
  );
}

function after(before: Observed, fact: AgentFact): Observed {
  switch (fact.kind) {
    case "init":
      return { ...before, init: fact };
    case "denied":
      return { ...before, denied: new Map([...before.denied, [fact.id, fact.tool]]) };
    case "said":
      return { ...before, lastWords: fact.text };
    case "problem":
      return { ...before, problem: fact.problem };
    case "message":
      return before.messages.has(fact.id) ? before : afterMessage(before, fact);
    case "edited":
      return { ...before, files: new Set([...before.files, ...fact.files]) };
    case "result":
      // Problems on the way do not matter after a good end.
      return { ...before, result: fact, problem: fact.isError ? before.problem : undefined };
  }
}

function afterMessage(before: Observed, fact: Extract<AgentFact, { kind: "message" }>): Observed {
  return {
    ...before,
    turns: before.turns + 1,
    messages: new Set([...before.messages, fact.id]),
    usage: {
      input: before.usage.input + fact.usage.input,
      cached: before.usage.cached + fact.usage.cached,
      output: before.usage.output + fact.usage.output,
    },
    costUsd: fact.costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + fact.costUsd,
  };
}
