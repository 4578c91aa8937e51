import type { SignalReport } from "../../decisions/rules/signal-report.ts";
import type { Verification } from "../../gates/verifying/verification.ts";
import type { VerifiedDone } from "../../gates/verifying/verify-done.ts";
import type { endSessionWith } from "../../operations/sessions.ts";

/** The gates that a call requests. */
export interface WantedGates {
  readonly task: number;
  readonly session: string;
  /** Absent: all that can run; a pass on the current files is reused. */
  readonly gate?: number | undefined;
  /** The key of a call that may be repeated: it then gets the first answer. */
  readonly key?: string | undefined;
}

/** Runs gates for one call, which gets their progress. */
export interface GatesOfCall {
  /** Whether a done of the session is answered with more than its gates: by what its folder has, compared with its start. */
  looksAt(session: string): boolean;
  /** The gates of a task, without running any. */
  stateOf(task: number): Promise<Verification>;
  /** @throws Refusal, LogError: they could not run */
  verify(wanted: WantedGates): Promise<Verification>;
  /** Keeps how the folder is in which a session begins that nobody else watches. */
  keepBeginning(session: string): Promise<void>;
  /** What a session did that nobody else watches, for its end. */
  foundAtEnd(session: string): Promise<Parameters<typeof endSessionWith>[0]>;
  /** Completes the answer to a recorded done. Never throws: the recorded done stays. */
  verifyDone(recorded: SignalReport, wanted: WantedGates): Promise<VerifiedDone>;
}

/** The place in which gates run. */
export interface GatePlace {
  /** The read model's file, beside which the project's configuration is found. */
  readonly readModelPath: string;
  /** The session's workspace; absent: the project's folder. */
  readonly workspace?: string | undefined;
}
