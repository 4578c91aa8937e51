/**
 * An error whose message is for the caller: it says what was wrong, and what would be right. Any
 * other error is a bug.
 */
export abstract class ToldError<Code extends string = string> extends Error {
  /** The kind of the error, for programs. */
  readonly code: Code;
  /**
   * Who is at fault: the caller, with a wrong request (`usage`) or one that the rules refuse; or
   * the environment.
   */
  abstract readonly fault: "usage" | "refused" | "unusable";

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
