import type { PauseKind } from "../../events/types/loops.ts";

/** What a loop waits for, behind "waits until …": in the terminal and on the page alike. */
export const PAUSES: Readonly<Record<PauseKind, string>> = {
  limit: "for its usage limit to reset",
  outage: "for the model to come back",
  unusable: "before the next attempt",
};
