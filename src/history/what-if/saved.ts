import type { Event } from "../../events/types/index.ts";
import { fromIsoTime } from "../../lib/time.ts";

/** What the sessions took that would not have been; null: no agent reported it, which is not 0. */
export interface Saved {
  /** From the start of each to its end. */
  readonly seconds: number;
  readonly turns: number | null;
  /** Cached tokens count as input. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
}

const USED = ["turns", "input_tokens", "output_tokens", "cost_usd"] as const;

/** Adds up what left-out sessions took. */
export class SavedCounter {
  /** By session: when it started, in microseconds since 1970, and what its agent last reported. */
  readonly #sessions = new Map<
    string,
    { readonly from: number; used: Event<"agent.progressed">["payload"] | undefined }
  >();
  #seconds = 0;

  /** Call for each event of a left-out session. */
  count(session: string, event: Event): void {
    const at = fromIsoTime(event.recordedAt);
    const known = this.#sessions.get(session) ?? { from: at, used: undefined };
    this.#sessions.set(session, known);
    if (event.type === "agent.progressed") known.used = event.payload;
    // What the last report leaves out was not reported.
    if (event.type === "agent.ended") known.used = { ...known.used, ...event.payload };
    if (event.type === "session.ended") this.#seconds += (at - known.from) / 1_000_000;
  }

  get saved(): Saved {
    const all = [...this.#sessions.values()].flatMap(({ used }) => used ?? []);
    const sums = USED.map((name) => {
      const given = all.flatMap((used) => used[name] ?? []);
      return [name, given.length === 0 ? null : given.reduce((sum, one) => sum + one, 0)] as const;
    });
    return {
      seconds: this.#seconds,
      ...(Object.fromEntries(sums) as Record<(typeof USED)[number], number | null>),
    };
  }
}
