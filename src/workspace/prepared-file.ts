import { writeWhole } from "../lib/write-whole.ts";

/**
 * The file that says at which commit a worktree was prepared, or that it is `NEW`. It is beside the worktree and not in it: an
 * agent in a sandbox must not have the setup run again, outside, on what it wrote.
 *
 * @param top of the worktree
 */
export const preparedFile = (top: string): string => `${top}.prepared`;

/** Call it before a worktree is made. */
export function markNew(top: string): void {
  writeWhole(preparedFile(top), NEW);
}

export const NEW = "new";
