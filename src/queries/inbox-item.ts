import type { ItemKind } from "../projections/board/inbox-tables.ts";
import type { ChangedField } from "./changed-proposals.ts";
import type { Denial } from "./denials.ts";

/** Something that waits for a human. */
export interface InboxItem {
  /** The position of the event that put it there; what `signalbox inbox answer` and its like take. */
  readonly id: number;
  readonly kind: ItemKind;
  /** The task on which it was said; the draft itself for a proposal whose suggesting task was deleted. Null for a plan. */
  readonly task: number | null;
  /** The plan's number; null for all else. */
  readonly plan: number | null;
  readonly task_title: string;
  readonly session: string | null;
  readonly state: string;
  /** Whether the task stands still until a human acts on this item. */
  readonly blocks_work: boolean;
  /**
   * The question, what blocks, the gate's command, …; of a proposal the draft's title as it is now; of gates to approve
   * their commands, all of them and whole, each behind its number where there are several.
   */
  readonly text: string;
  /** A blocker's or proposal's kind, a flag's category. */
  readonly of_kind: string | null;
  /** A question's options, and the one that the agent prefers. */
  readonly options: string[];
  readonly preferred: string | null;
  /**
   * Why, in more words: a blocker's detail, the description of a proposal's draft as it is now, a gate's last output, what
   * was found in the workspace of a done.
   */
  readonly detail: string | null;
  /** For a blocker or contest the task that it is linked to; for a proposal the draft that it became. */
  readonly other_task: number | null;
  /** The gate's number; null where several gates are to be approved. */
  readonly gate: number | null;
  /** How the last attempt of an escalated gate ended, and what that means where it is not plain. */
  readonly ended: string | null;
  /** The feature that a proposal names; where there is none of that name, the draft is in the suggesting task's. */
  readonly feature: string | null;
  readonly feature_exists: boolean;
  /** The fields of a proposal's draft that are not as they were proposed; empty for all else. */
  readonly changed: readonly ChangedField[];
  /**
   * What the client of the agent did not let it use in the session that the item comes from; of a gate, in its task's last one;
   * of a hold, in its last three. It
   * may be why.
   */
  readonly denied: readonly Denial[];
}
