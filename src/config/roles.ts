/** What a person may do, each with all that those before it may (docs/people.md). */
export const roles = ["watch", "answer", "decide", "own"] as const;
export type Role = (typeof roles)[number];
