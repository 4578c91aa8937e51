import type { Group } from "../operations/group.ts";
import { type Operation, perform } from "../operations/operation.ts";
import type { Reading } from "../operations/reading.ts";
import type { AnyToolWords } from "../operations/tool-words.ts";
import { askAtHead } from "../read-model/ask.ts";
import {
  type Call,
  CHANGING,
  CREATING,
  DELETING,
  decideFor,
  defineTool,
  READING,
  REPORTING,
  type Tool,
} from "./tool.ts";

/** The tools of a group's operations and questions. */
export function toolsOf({ name, has }: Group): readonly Tool[] {
  return has.flatMap((one) => ("rows" in one || !one.tool ? [] : toolOf(name, one, one.tool)));
}

function toolOf(group: string, one: Operation | Reading, words: AnyToolWords): Tool {
  const { takes, gives, effect, input, answer, ...more } = words;
  return defineTool({
    command: `${group} ${[one.command].flat()[0]?.name}`,
    ...more,
    ...{ input: takes, output: gives, annotations: effect ? EFFECTS[effect] : READING },
    run(args, call) {
      // The server has checked the arguments; the parity tests check that answers match `gives`.
      const given = args as never;
      const said = answer && ((answered: never) => answer(answered, given));
      return run(one, input(given), said, call) as Promise<Record<string, unknown>>;
    },
  });
}

function run(
  one: Operation | Reading,
  input: unknown,
  answer: ((answered: never) => unknown) | undefined,
  call: Call,
): Promise<unknown> {
  if ("ask" in one)
    return askAtHead(call.store, (readModel) => {
      const read = one.ask(readModel, input as never);
      return answer ? answer(read as never) : read;
    });
  return perform(
    one,
    input,
    {
      decide: (decision) => decideFor(call, decision),
      ask: (question) => askAtHead(call.store, question),
    },
    answer,
  );
}

const EFFECTS = { creating: CREATING, adding: REPORTING, changing: CHANGING, deleting: DELETING } as const;
