import { z } from "zod";
import type { Decision } from "../../../src/decisions/decide.ts";

/**
 * A tool and the command that does the same. Each is run on a project of its own with tasks 1 to 7; the tool's server is
 * that of session s-1 of task 7, with the recipe `all`.
 */
export interface Row {
  /** What else the project holds before. */
  readonly given?: readonly Decision[];
  /** Who decided that; absent: a human. */
  readonly by?: "agent";
  /** The tool's arguments; absent: its example. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** The command line, without `--json`. */
  readonly command: readonly string[];
  /** What of the tool's answer, and of what the command prints, must be the same; every tool that only reads has it. */
  readonly shows?: { readonly answer: z.ZodType; readonly printed: z.ZodType };
}

/** These fields of an object, each of which must be there. */
export function only(...names: readonly string[]) {
  return z.looseObject({}).transform((value, problems) =>
    Object.fromEntries(
      names.map((name) => {
        if (!Object.hasOwn(value, name)) problems.addIssue(`has no ${name}`);
        return [name, value[name]];
      }),
    ),
  );
}
