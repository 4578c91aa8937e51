/**
 * Every rule that can change a task's status, under its name in the column `rule` of
 * `status_changes`.
 */
export type StatusRule =
  | "created"
  | "enriched"
  | "sessions: start"
  | "settlement 5"
  | "settlement 7a"
  | "settlement 7b"
  | "settlement 7c"
  | "settlement 7d"
  | "settlement 9"
  | "evidence: ask"
  | "humans: set a status"
  | "humans: accept"
  | "humans: send back"
  | "humans: approved"
  | "humans: rejected"
  | "humans: undo"
  | "plans: replaced"
  | "merges: reopen"
  | "gates: abort"
  | "gates: skip";
