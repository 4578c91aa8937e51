export type AuditErrorCode =
  | "bad_key"
  | "bad_head"
  | "too_large"
  | "file_exists"
  | "unused_key"
  | "key_exists"
  | "key_in_git"
  | "no_such_position"
  | "head_contradicted"
  | "unsigned_head";

/** What keeps heads, keys and proofs from being read or made. `message` says what was wrong and what would be right. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  readonly code: AuditErrorCode;

  constructor(code: AuditErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
