/*
 * Words that a learning's fields take. They stand apart from the schemas, since the panel's page needs no schema.
 */

export const learningKinds = ["discovery", "decision", "convention"] as const;
export const learningScopes = ["project", "feature", "task"] as const;

/** What a human has decided about an entry. */
export const learningMarks = ["none", "pinned", "retired"] as const;
export type LearningMark = (typeof learningMarks)[number];
