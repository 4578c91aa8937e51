/**
 * An error whose message is meant for whoever called: it says what was wrong, and what would be right. Any other error is a fault of
 * the program.
 */
export abstract class ToldError<Code extends string = string> extends Error {
  /** Names the kind of error to programs. */
  readonly code: Code;
  /** Whose it is: the caller's, who asked wrongly (`usage`) or for what the rules refuse; or what the program runs on cannot be used. */
  abstract readonly fault: "usage" | "refused" | "unusable";

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
