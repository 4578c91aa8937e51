import type { Permissions } from "../config/schema.ts";
import type { LoopEnding, PauseKind } from "../events/types/loops.ts";
import type { SessionOutcome } from "../projections/queries/sessions.ts";
import type { Waiting } from "./waiting.ts";

/** What a loop does, step by step, as `signalbox run` prints it. Names of fields are those of the `--json` form. */
export type Step =
  | {
      readonly step: "loop_started";
      readonly driver: string;
      readonly agent: string;
      readonly jobs: number;
      /** What the agent may do without asking; null of a command, whose own line says it. */
      readonly permissions: Permissions | null;
      /** False where nobody has chosen it. */
      readonly permissions_set: boolean;
    }
  | {
      readonly step: "recovered";
      readonly session: string;
      readonly task: number;
      readonly driver: string;
      /** True if its agent still ran, and was ended. */
      readonly agent_ran: boolean;
    }
  | {
      readonly step: "session_started";
      readonly session: string;
      readonly task: number;
      readonly title: string;
      readonly agent: string;
      readonly model: string | null;
      readonly prompt_tokens: number;
      readonly folder: string;
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
      /** The gates that did not pass before the work. */
      readonly failed: readonly number[];
      /** Why they could not be run, for people; null where they were. */
      readonly problem: string | null;
    }
  | {
      readonly step: "agent_started";
      readonly session: string;
      readonly task: number;
      readonly model: string | null;
      readonly server: string;
    }
  | {
      readonly step: "reported";
      readonly session: string;
      readonly task: number;
      /** The log's position, and the text that a timeline shows. */
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
      readonly task: number;
      readonly exit: string;
      readonly reason: string | null;
      readonly closing: SessionOutcome["closing"];
      readonly outcome: SessionOutcome["outcome"];
      /** Why a done does not stand, for each gate in its way; else empty. */
      readonly unverified: readonly string[];
      /** The task's status now. */
      readonly status: string | null;
      readonly cost_usd: number | null;
      /** The tools that its client did not let it use. */
      readonly denied: readonly { readonly tool: string; readonly times: number }[];
      /** What it said last, where it called no closing verb; else empty. */
      readonly last_words: string;
    }
  /** What was left in a task's worktree was committed, or not: then `problem` or `left_out` says why. */
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
  /** A merge that the task's session begins with stopped at conflicts. */
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
      /** True where it waits in the inbox for a human to say so. */
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
      /** Where the base was, and is: of one that landed. */
      readonly from: string | null;
      readonly to: string | null;
      /** That does not pass on the merged result. */
      readonly gate: number | null;
      /** That conflict. */
      readonly files: readonly string[];
      /** With which a human sees and resolves it. */
      readonly commands: readonly string[];
      /** Why it waits. */
      readonly reason: string | null;
    }
  /** An agent is to bring the work together with the base. */
  | { readonly step: "merge_reopened"; readonly task: number }
  | { readonly step: "session_taken"; readonly session: string; readonly task: number }
  /** The task's workspace, prompt, servers or tools could not be had; it is left for the next run. */
  | { readonly step: "skipped"; readonly task: number; readonly reason: string }
  /** Another session that runs changes the same file. */
  | {
      readonly step: "overlap";
      readonly session: string;
      readonly task: number;
      readonly path: string;
      readonly other_session: string;
      readonly other_task: number;
    }
  /** The first trace of a session that could not be sent; those that cannot be sent after it are not told. */
  | { readonly step: "traces_failed"; readonly reason: string }
  | { readonly step: "waiting"; readonly waiting: readonly Waiting[] }
  /** No session is started for a while: a usage limit, an outage, or a session that could not do anything for another reason. */
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
