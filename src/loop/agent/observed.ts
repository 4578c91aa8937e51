import { filter, map, type Observable, scan } from "rxjs";
import { type AgentFact, factIn, isOurTool, type Usage } from "./stream.ts";

/** What an agent's output has told so far. */
export interface Observed {
  readonly init: Extract<AgentFact, { kind: "init" }> | undefined;
  readonly result: Extract<AgentFact, { kind: "result" }> | undefined;
  /** Tools of ours that it was not allowed to use. */
  readonly denied: readonly string[];
  /** Files that its tools edited, as it named them. */
  readonly files: ReadonlySet<string>;
  /** How many messages of the model there were. */
  readonly turns: number;
  /** Sums over those messages. */
  readonly usage: Usage;
  /** The ids of the messages; one message comes in several lines, each with the same usage. */
  readonly messages: ReadonlySet<string>;
}

export const NOTHING_OBSERVED: Observed = {
  init: undefined,
  result: undefined,
  denied: [],
  files: new Set(),
  turns: 0,
  usage: { input: 0, output: 0 },
  messages: new Set(),
};

/** What the lines have told, after each of them that told something. */
export function observe(lines: Observable<string>): Observable<Observed> {
  return lines.pipe(
    map(factIn),
    filter((fact) => fact !== undefined),
    scan(after, NOTHING_OBSERVED),
  );
}

function after(before: Observed, fact: AgentFact): Observed {
  switch (fact.kind) {
    case "init":
      return { ...before, init: fact };
    case "denied":
      return isOurTool(fact.tool) ? { ...before, denied: [...before.denied, fact.tool] } : before;
    case "message": {
      const files = fact.files.length > 0 ? new Set([...before.files, ...fact.files]) : before.files;
      return before.messages.has(fact.id)
        ? { ...before, files }
        : {
            ...before,
            files,
            turns: before.turns + 1,
            messages: new Set([...before.messages, fact.id]),
            usage: {
              input: before.usage.input + fact.usage.input,
              output: before.usage.output + fact.usage.output,
            },
          };
    }
    case "result":
      return {
        ...before,
        result: fact,
        denied: [...before.denied, ...fact.denied.filter(isOurTool)],
      };
  }
}
