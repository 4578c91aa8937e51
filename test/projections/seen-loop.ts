import type { SeenLoop } from "../../src/queries/labels/loop-words.ts";

/** A loop that lives and runs nothing. */
export function seenLoop(more: Partial<SeenLoop> = {}): SeenLoop {
  return {
    driver: "d-1",
    agent: "claude",
    jobs: 1,
    host: null,
    position: 1,
    started_at: "2026-01-10 12:00:00.000000",
    waits_for: null,
    waits_until: null,
    waits_reason: null,
    stop_asked_by: null,
    budget_micro_usd: null,
    budget_tokens: null,
    running: 0,
    cost_micro_usd: null,
    tokens: null,
    unknown: 0,
    sign: "alive",
    ...more,
  };
}
