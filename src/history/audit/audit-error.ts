import { ToldError } from "../../lib/told-error.ts";

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

/**
 * Why a head, key or proof cannot be read or made. `message` says what was wrong and what would be
 * right.
 */
export class AuditError extends ToldError<AuditErrorCode> {
  override readonly name = "AuditError";

  get fault() {
    return FAULTS[this.code] ?? "refused";
  }
}

/** Codes of malformed or unread heads, keys and proofs. All others are refusals. */
const FAULTS: Readonly<Partial<Record<AuditErrorCode, "usage" | "unusable">>> = {
  bad_key: "usage",
  bad_head: "usage",
  unused_key: "usage",
  too_large: "unusable",
};
