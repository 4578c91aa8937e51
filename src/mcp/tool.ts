import type { z } from "zod";

/**
 * One tool of the server. Whatever it records is durable when `run` resolves.
 *
 * To add one: write it in a file of its family and list it in server.ts.
 */
export interface Tool {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /**
   * @param args validated by `input`
   * @param eventId the id of the event to record: the same for a call that the client sends again
   * @throws ToolRefusal, Refusal, LogError: nothing was recorded, and the message says why
   */
  run(args: Record<string, unknown>, eventId: string): Promise<Record<string, unknown>>;
}

/** An answer that tells the agent what was wrong, what would be right and what to do next. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}

/** Reports only ever add to the log, and adding one again under its key changes nothing. */
export const REPORTING = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
