import type { SeenLoop } from "../../queries/labels/loop-words.ts";
import type { RunningLoop } from "../../queries/loops.ts";
import type { HostView } from "./hosts.ts";

/** What the panel is given to show a project's loops and to start one. */
export interface LoopControl {
  /** Agent, jobs and budget of a new loop, or why none can start. */
  plan(): LoopPlan;
  /**
   * Loops that have not said that they stopped, with their signs of life.
   *
   * @param hosts of a shared log; undefined for a log that is a file
   */
  see(loops: readonly RunningLoop[], hosts: readonly HostView[] | undefined): readonly SeenLoop[];
  /**
   * Starts a loop that outlives the server. The same key starts only one.
   *
   * @throws Refusal `not_possible`: nothing runs; the message says why
   */
  start(wish: LoopWish): Promise<StartedLoop>;
}

/** A loop that someone wants to have started. */
export interface LoopWish {
  /** The same key means the same loop. */
  readonly key: string;
  /** The maximum number of parallel sessions; undefined: as the configuration says. */
  readonly jobs: number | undefined;
}

/** A loop that was started. */
export interface StartedLoop {
  readonly driver: string;
  /** Of its first event. */
  readonly position: number;
  /** The file that has what it prints, below the project's folder. */
  readonly output: string;
}

/** Agent, jobs and budget of a new loop, or why none can start. */
export type LoopPlan =
  | {
      readonly agent: string;
      readonly jobs: number;
      readonly budget: { readonly usd?: number | undefined; readonly tokens?: number | undefined };
    }
  | { readonly problem: string };
