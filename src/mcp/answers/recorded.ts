/** The answer of `ask` to an agent. */
export interface Recorded {
  /** The ask's log position, which is the question's id. */
  readonly position: number;
  readonly recorded: string;
  readonly next: string;
  /** The human's answer, if any. */
  readonly answer?: string | undefined;
}

/**
 * Shows a recorded question to a human, and completes its answer. Throws nothing but InputRequired:
 * the recorded question stays.
 */
export type AskHuman = (recorded: Recorded) => Promise<Recorded>;
