import type { Permissions } from "../config/schema.ts";
import type { LoopEnding, PauseKind } from "../events/types/loops.ts";
import type { SessionOutcome } from "../queries/find-sessions.ts";
import type { WorkPause } from "../queries/pause.ts";
import type { NothingReady, Waiting } from "./waiting.ts";

/**
 * The steps of a loop, as `signalbox run` prints them. Fields have the names of the `--json` form.
 */
export type Step =
  | {
      readonly step: "loop_started";
      readonly driver: string;
      readonly agent: string;
      readonly jobs: number;
      /** The agent's permissions without asking; null for a command, whose own line says it. */
      readonly permissions: Permissions | null;
      /** False if no one has chosen them. */
      readonly permissions_set: boolean;
    }
  | {
      readonly step: "recovered";
      readonly session: string;
      /** Null for a session without one. */
      readonly task: number | null;
      /** Null only for a session of a lost host. */
      readonly driver: string | null;
      /** True if its host was declared lost; else its driver was dead. */
      readonly host_lost: boolean;
      /** True if its agent was still running and was ended. */
      readonly agent_ran: boolean;
    }
  /** A human paused the work of all drivers, at this position. */
  | ({ readonly step: "work_paused" } & WorkPause)
  /** The host cannot reach the log, or was declared lost: its agents end. `why` is null once it goes on. */
  | { readonly step: "fenced"; readonly why: string | null }
  | {
      readonly step: "session_started";
      readonly session: string;
      /** Null for a session without one. */
      readonly task: number | null;
      readonly title: string;
      readonly agent: string;
      readonly model: string | null;
      readonly prompt_tokens: number;
      readonly folder: string;
    }
  /** A new worktree is set up for a task, or for its merge. */
  | { readonly step: "setup_started"; readonly task: number; readonly command: string }
  | {
      readonly step: "setup_ended";
      readonly task: number;
      readonly passed: boolean;
      /** For people: `failed with exit code 1`. */
      readonly how: string;
      readonly duration_ms: number;
    }
  /** Its gates are to run in a copy, which another session uses: one at a time. */
  | {
      readonly step: "copy_awaited";
      readonly task: number;
      /** For people: `gates of task 3 in a copy`. */
      readonly holder: string;
    }
  | {
      readonly step: "baseline_started";
      readonly session: string;
      readonly task: number;
      readonly gate: number;
      readonly command: string;
    }
  | {
      readonly step: "baseline_ended";
      readonly session: string;
      readonly task: number;
      /** The gates that failed before the work. */
      readonly failed: readonly number[];
      /** Why they could not run, for people; null if they ran. */
      readonly problem: string | null;
    }
  | {
      readonly step: "proof_started";
      readonly session: string;
      readonly task: number;
      readonly gate: number;
      readonly command: string;
    }
  | {
      readonly step: "proof_ended";
      readonly session: string;
      readonly task: number;
      /** Null: no gate could run in a copy. */
      readonly gate: number | null;
      /** What was found, for people: `red without src/parser.ts`. */
      readonly says: string;
    }
  | {
      readonly step: "agent_started";
      readonly session: string;
      /** Null for a session without one. */
      readonly task: number | null;
      readonly model: string | null;
      readonly server: string;
    }
  | {
      readonly step: "reported";
      readonly session: string;
      /** Null for a session without one. */
      readonly task: number | null;
      /** The log position, and the timeline text. */
      readonly position: number;
      readonly type: string;
      readonly text: string;
    }
  | {
      readonly step: "gate_started";
      readonly session: string;
      readonly task: number;
      readonly gate: number;
      readonly command: string;
    }
  | {
      readonly step: "gate_ended";
      readonly session: string;
      readonly task: number;
      readonly gate: number;
      readonly passed: boolean;
      /** For people: `failed with exit code 1`. */
      readonly how: string;
      readonly duration_ms: number;
    }
  | {
      readonly step: "session_ended";
      readonly session: string;
      /** Null for a session without one. */
      readonly task: number | null;
      readonly exit: string;
      readonly reason: string | null;
      readonly closing: SessionOutcome["closing"];
      readonly outcome: SessionOutcome["outcome"];
      /** Why the done does not stand: each finding for which it is refused, each gate that prevents it; else empty. */
      readonly unverified: readonly string[];
      /** What was found in its workspace that people should know: `left behind: a.txt is in a stash. …` */
      readonly findings: readonly string[];
      /** The task's new status. */
      readonly status: string | null;
      readonly cost_usd: number | null;
      /** The tools denied by its client. */
      readonly denied: readonly { readonly tool: string; readonly times: number }[];
      /** Its last message, if it called no closing verb; else empty. */
      readonly last_words: string;
    }
  /**
   * The remaining files of a task's worktree were committed, or not: then `problem` or `left_out`
   * says why.
   */
  | {
      readonly step: "committed";
      readonly session: string | null;
      readonly task: number;
      readonly branch: string;
      readonly files: number;
      readonly commit: string | null;
      readonly left_out: readonly { readonly path: string; readonly reason: string }[];
      readonly problem: string | null;
    }
  /** The merge at the beginning of the task's session stopped at conflicts. */
  | {
      readonly step: "conflicted";
      readonly session: string;
      readonly task: number;
      readonly branch: string;
      readonly files: readonly string[];
    }
  | {
      readonly step: "merge_queued";
      readonly task: number;
      readonly branch: string;
      readonly base: string;
      /** True if it waits in the inbox for a human to confirm. */
      readonly proposed: boolean;
    }
  | {
      readonly step: "merge_started";
      readonly task: number;
      readonly branch: string;
      readonly base: string;
    }
  | {
      readonly step: "merge_gate";
      readonly task: number;
      readonly gate: number;
      readonly command: string;
    }
  | {
      readonly step: "merge_ended";
      readonly task: number;
      readonly base: string;
      readonly state: "landed" | "conflicted" | "gate_failed" | "waiting";
      /** The base before and after; for a landed merge. */
      readonly from: string | null;
      readonly to: string | null;
      /** The gate that fails on the merged result. */
      readonly gate: number | null;
      /** The conflicting files. */
      readonly files: readonly string[];
      /** The commands with which a human sees and resolves it. */
      readonly commands: readonly string[];
      /** The reason for waiting. */
      readonly reason: string | null;
    }
  /** The base has the task's work, and nothing was left in its worktree; `folder` is null if there was only the branch. */
  | {
      readonly step: "worktree_removed";
      readonly task: number;
      readonly folder: string | null;
      readonly branch: string;
    }
  /** An agent is to merge the work with the base. */
  | { readonly step: "merge_reopened"; readonly task: number }
  | { readonly step: "session_taken"; readonly session: string; readonly task: number | null }
  /** The task's workspace, prompt, servers or tools failed; it is left for the next run. */
  | { readonly step: "skipped"; readonly task: number; readonly reason: string }
  /** Another running session changes the same file. */
  | {
      readonly step: "overlap";
      readonly session: string;
      readonly task: number;
      readonly path: string;
      readonly other_session: string;
      readonly other_task: number;
    }
  /** The session's first trace that could not be sent; later ones are not reported. */
  | { readonly step: "traces_failed"; readonly reason: string }
  | ({ readonly step: "waiting" } & NothingReady)
  /**
   * No session starts for a while: a usage limit, an outage, or sessions that failed for another
   * reason.
   */
  | {
      readonly step: "paused";
      readonly why: PauseKind;
      readonly reason: string;
      /** ISO 8601. */
      readonly until: string;
    }
  | { readonly step: "stopping"; readonly reason: string }
  | {
      readonly step: "loop_stopped";
      readonly ending: LoopEnding;
      readonly reason: string;
      readonly sessions: number;
      readonly waiting: readonly Waiting[];
    };
