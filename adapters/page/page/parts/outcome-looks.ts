import type { Session } from "../core.ts";

export type SessionOutcome = NonNullable<Session["outcome"]>;

/** The words are those of the filter, the CLI and the metrics; none is a task's status. */
export const outcomeLooks: Readonly<
  Record<SessionOutcome, { readonly word: string; readonly drawn: string }>
> = {
  success: { word: "success", drawn: "M5 8.2 7.2 10.5 11 5.8" },
  partial: { word: "partial", drawn: "M2.5 13.5 13.5 2.5" },
  failure: { word: "failure", drawn: "M8 4.8 V8.6 M8 10 V11.4" },
  timeout: { word: "timeout", drawn: "M8 4.8 V8 H11" },
  cancelled: { word: "cancelled", drawn: "M5 8 H11" },
};
