/** What `ask` answers an agent. */
export interface Recorded {
  /** Where the ask stands in the log, which is the question's id. */
  readonly position: number;
  readonly recorded: string;
  readonly next: string;
  /** What a human answered, if one did. */
  readonly answer?: string | undefined;
}

/** Puts a recorded question to a human, and completes its answer. It never throws: what is recorded stays recorded. */
export type AskHuman = (recorded: Recorded) => Promise<Recorded>;
