/*
 * The choices of a learning's fields. Kept apart from the schemas, since the panel's page does not
 * load those.
 */

export const learningKinds = ["discovery", "decision", "convention"] as const;
export const learningScopes = ["project", "feature", "task"] as const;

/** A human's decision about a learning. */
export const learningMarks = ["none", "pinned", "retired"] as const;
export type LearningMark = (typeof learningMarks)[number];
