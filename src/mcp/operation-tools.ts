import type { Group } from "../operations/group.ts";
import { type Operation, perform } from "../operations/operation.ts";
import type { AnyToolWords } from "../operations/tool-words.ts";
import { askAtHead } from "../projections/ask.ts";
import { CHANGING, CREATING, DELETING, decideFor, defineTool, type Tool } from "./tool.ts";

/** The tools of a group's operations. */
export function toolsOf({ name, has }: Group): readonly Tool[] {
  return has.flatMap((one) => ("ask" in one || !one.tool ? [] : toolOf(name, one, one.tool)));
}

function toolOf(group: string, operation: Operation, words: AnyToolWords): Tool {
  const { takes, gives, effect, input, answer, ...more } = words;
  return defineTool({
    ...more,
    ...{ input: takes, output: gives, annotations: EFFECTS[effect] },
    command: `${group} ${[operation.command].flat()[0]?.name}`,
    async run(args, call) {
      const done = perform(
        operation,
        // The server has checked them.
        input(args as never),
        {
          decide: (decision) => decideFor(call, decision),
          ask: (question) => askAtHead(call.store, question),
        },
        answer,
      );
      // Parity tests parse it with `gives`.
      return done as Promise<Record<string, unknown>>;
    },
  });
}

const EFFECTS = { creating: CREATING, changing: CHANGING, deleting: DELETING } as const;
