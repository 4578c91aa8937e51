import type { Observable } from "rxjs";
import type { OtlpEndpoint } from "../adapters.ts";
import type { Config } from "../config/config.ts";
import type { LoopEnding } from "../events/types/loops.ts";
import type { Step } from "./steps.ts";
import type { Waiting } from "./waiting.ts";

export interface LoopOptions {
  readonly readModelPath: string;
  readonly config: Config;
  /** The id of this run, recorded in its claims. */
  readonly driver: string;
  /** Stop after one session. */
  readonly once?: boolean | undefined;
  readonly maxSessions?: number | undefined;
  /** If no task is ready, wait for one. */
  readonly wait?: boolean | undefined;
  /** The receiver of its sessions' traces; absent: none. */
  readonly tracesTo?: OtlpEndpoint | undefined;
  /** Emits a reason: no further session starts. */
  readonly finish: Observable<string>;
  /** Emits a reason: running sessions end, as `cancelled`. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
  /** Emits each time that a driver on a shared log looks whether it is cut off; by default each second. */
  readonly ticks?: Observable<unknown> | undefined;
  /** Emits after so many milliseconds; by default a timer of this machine. */
  readonly after?: ((ms: number) => Observable<unknown>) | undefined;
}

export interface LoopResult {
  readonly ending: LoopEnding;
  readonly reason: string;
  readonly sessions: number;
  /** The tasks that are not ready, and why; empty unless that is why the loop stopped. */
  readonly waiting: readonly Waiting[];
}
