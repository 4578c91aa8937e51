import type { PauseKind } from "../../events/types/loops.ts";

/** The reason for a loop's pause; follows "waits until …" in the terminal and on the page. */
export const PAUSES: Readonly<Record<PauseKind, string>> = {
  limit: "for its usage limit to reset",
  outage: "for the model to come back",
  unusable: "before the next attempt",
};
