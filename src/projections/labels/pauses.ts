import type { PauseKind } from "../../events/types/loops.ts";

/** What a loop waits for, behind "waits until …": in the terminal and on the page alike. */
export const PAUSES: Readonly<Record<PauseKind, string>> = {
  limit: "for the end of a usage limit",
  outage: "for the model to be back",
  unusable: "before the next try",
};
