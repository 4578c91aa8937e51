/** Every rule that can change a task's status, by the name that the column `rule` of `status_changes` has for it. */
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
  | "humans: set a status"
  | "humans: accept"
  | "humans: send back"
  | "humans: approved"
  | "humans: rejected"
  | "humans: undo"
  | "gates: abort"
  | "gates: skip";
