import type { SignalReport } from "../../decisions/signal-report.ts";
import type { Verification } from "../../gates/verifying/verification.ts";
import type { VerifiedDone } from "../../gates/verifying/verify-done.ts";

/** A session's gates that a call wants run. */
export interface WantedGates {
  readonly task: number;
  readonly session: string;
  /** Absent: all that can be run; a pass on the files as they are is kept. */
  readonly gate?: number | undefined;
  /** Of a call that may be sent again: it is answered as before. */
  readonly key?: string | undefined;
}

/** Runs gates in the course of one call, which is told of its progress. */
export interface GatesOfCall {
  /** What the gates of a task are, without running any. */
  stateOf(task: number): Promise<Verification>;
  /** @throws Refusal, LogError: they could not be run */
  verify(wanted: WantedGates): Promise<Verification>;
  /** Completes the answer to a done that is recorded. It never throws: what is recorded stays recorded. */
  verifyDone(recorded: SignalReport, wanted: WantedGates): Promise<VerifiedDone>;
}

/** Where gates are run. */
export interface GatePlace {
  /** The read model's file, beside which the project's configuration is found. */
  readonly readModelPath: string;
  /** The session's workspace; absent: the project's folder. */
  readonly workspace?: string | undefined;
}
