import type { z } from "zod";
import type { Decision } from "../../../decisions/decide.ts";
import type { State } from "../../../decisions/state.ts";

/** Something that a person does on the page: `POST /api/acts/NAME`. It is one decision, as of any command. */
export interface ActDefinition<Name extends string, Input extends z.ZodObject> {
  readonly name: Name;
  readonly input: Input;
  /** @param actor who decides, as the log names them */
  plan(input: z.output<Input>, state: State, actor: string): Decision;
}

export function defineAct<const Name extends string, Input extends z.ZodObject>(
  definition: ActDefinition<Name, Input>,
): ActDefinition<Name, Input> {
  return definition;
}

/** What was recorded: its last event's position and type. */
export interface Acted {
  readonly position: number;
  readonly type: string;
}
