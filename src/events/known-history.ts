import { LogError } from "../lib/log-error.ts";
import type { EventRecord } from "./event-record.ts";

/** What is asked of a log to compare histories. */
type Seen = {
  at(position: number): Pick<EventRecord, "leafHash"> | undefined;
  last(): Pick<EventRecord, "position"> | undefined;
};

interface Known {
  readonly position: number;
  readonly leafHash: string;
}

/** What a handle has seen of its log: enough to notice when another history lies in its place. */
export class KnownHistory {
  /** The newest event that was read or appended. */
  #newest: Known | undefined;
  /** Where the history was last found to be the same, and what `commits` was there. */
  #checked: { readonly state: Seen; readonly commits: number | undefined } | undefined;

  /** The newest event that was seen; undefined before the first. */
  get newest(): Known | undefined {
    return this.#newest;
  }

  note(newest: { readonly position: number; readonly leafHash: Uint8Array | string } | undefined): void {
    if (!newest || newest.position < (this.#newest?.position ?? 0)) return;
    const { position, leafHash } = newest;
    this.#newest = {
      position,
      leafHash: typeof leafHash === "string" ? leafHash : Buffer.from(leafHash).toString("hex"),
    };
  }

  /**
   * @param commits another number after each commit; absent: there were some
   * @param known what `state` was asked for, if it was asked before: the newest event may be another one by now
   * @throws LogError `history_changed`
   */
  check(state: Seen, commits?: number, known = this.#newest): void {
    if (commits !== undefined && this.#checked?.state === state && this.#checked.commits === commits) return;
    if (known && !holds(state, known)) {
      throw new LogError(
        "history_changed",
        `This log was replaced by another one while it was open: position ${known.position} no longer holds the event that was there. ` +
          "Nothing was recorded. Open it again to go on with what it holds now.",
      );
    }
    this.#checked = { state, commits };
  }
}

/** Also where the event is missing in the midst of others: that is damage, and told as such by whoever reads there. */
function holds(state: Seen, { position, leafHash }: { position: number; leafHash: string }): boolean {
  const record = state.at(position);
  return record ? record.leafHash.toString("hex") === leafHash : (state.last()?.position ?? 0) >= position;
}
