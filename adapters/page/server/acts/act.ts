import type { z } from "zod";
import { type Decision, decide, type LoopControl, type PageWords, type Project, taskIn } from "../core.ts";

/** An action of the page: `POST /api/acts/NAME`. */
export interface ActDefinition<Name extends string, Input extends z.ZodObject> {
  readonly name: Name;
  readonly input: Input;
  /** @param key of the page: an action sent again under it happens once */
  perform(on: ActedOn, input: z.output<Input>, key: string): Promise<Acted>;
}

/** What actions change. */
interface ActedOn {
  readonly project: Project;
  readonly loops: LoopControl;
  /** Who acts, as the log names them. */
  readonly actor: string;
}

/** The last recorded event. */
export interface Acted {
  readonly position: number;
  readonly type: string;
  /** The task that it is about. */
  readonly task: number | null;
}

/** An action that is one decision, as with any command. @param decision takes the actor's name in the log */
export function defineAct<const Name extends string, Input extends z.ZodObject>({
  name,
  input,
  decision,
}: Pick<ActDefinition<Name, Input>, "name" | "input"> & {
  decision(input: z.output<Input>, actor: string): Decision;
}): ActDefinition<Name, Input> {
  return {
    name,
    input,
    async perform({ project, actor }, given, key) {
      const events = await decide(project.store, decision(given, actor), {
        actor,
        via: { channel: "page" },
        key,
      });
      const { position, type, payload } = events.at(-1) ?? events[0];
      return { position, type, task: taskIn(payload) ?? null };
    },
  };
}

/** The act by which the page offers an operation. @throws Error: its definition has no `page` */
export function actOf<Input extends z.ZodObject, Name extends string, Given extends z.ZodObject>(
  operation: ((input: z.input<Input>) => Decision) & { readonly page?: PageWords<Input, Name, Given> },
): ActDefinition<Name, Given> {
  const { page } = operation;
  if (!page) throw new Error("The page cannot offer this operation: its definition has no `page`.");
  const { name, takes, input } = page;
  return defineAct({ name, input: takes, decision: (given, actor) => operation(input(given, actor)) });
}
