import type { Key } from "../../../src/cli/watch/keys.ts";
import { render } from "../../../src/cli/watch/line.ts";
import type { SeenOverview } from "../../../src/cli/watch/live.ts";
import { type Effect, pressed } from "../../../src/cli/watch/pressed.ts";
import { screenOf } from "../../../src/cli/watch/screen.ts";
import { initialState, type WatchState } from "../../../src/cli/watch/state.ts";
import { fromIsoTime } from "../../../src/lib/time.ts";
import type { InboxItem } from "../../../src/queries/inbox-item.ts";
import type { RunningSession } from "../../../src/queries/running-sessions.ts";

export const NOW = fromIsoTime("2026-03-12T14:10:00.000000Z");

export function givenSession(session: string, more: Partial<RunningSession> = {}): RunningSession {
  return {
    session,
    task: 7,
    task_title: "Export orders as CSV",
    state: "implementing",
    entered_at: "2026-03-12T14:05:48.000000Z",
    phases: [
      { state: "idle", entered_at: "2026-03-12T14:04:00.000000Z" },
      { state: "analyzing", entered_at: "2026-03-12T14:04:01.000000Z" },
      { state: "implementing", entered_at: "2026-03-12T14:05:48.000000Z" },
    ],
    irregular: 0,
    signals: 0,
    driver: null,
    last_verb: null,
    last_text: null,
    agent: null,
    model: null,
    turns: null,
    input_tokens: null,
    output_tokens: null,
    cost_micro_usd: null,
    ...more,
  };
}

export function givenItem(kind: InboxItem["kind"], id: number, more: Partial<InboxItem> = {}): InboxItem {
  return {
    id,
    kind,
    task: 7,
    plan: null,
    task_title: "Export orders as CSV",
    blocks_work: false,
    session: "s-1",
    state: "open",
    text: `The text of ${kind} ${id}`,
    of_kind: null,
    options: [],
    preferred: null,
    detail: null,
    other_task: null,
    gate: null,
    ended: null,
    feature: null,
    feature_exists: false,
    changed: [],
    denied: [],
    ...more,
  };
}

export function givenOverview(more: Partial<SeenOverview> = {}): SeenOverview {
  return {
    position: 48_211,
    sessions: [],
    counts: {},
    ready: 0,
    inbox: [],
    overlaps: [],
    loops: [],
    paused: null,
    cost: { cost_micro_usd: null, sessions: 0, unknown: 0 },
    stopped: [],
    ...more,
  };
}

/** A view of a project where something of everything goes on. */
export function givenBusyState(): WatchState {
  return initialState(
    givenOverview({
      sessions: [
        givenSession("s-1", {
          last_verb: "ask",
          last_text: "Semicolons or tabs?",
          model: "claude-sonnet-4-5",
          turns: 12,
          driver: "d-1",
        }),
        givenSession("s-2", { task: 9, task_title: "Mail it", state: "testing", cost_micro_usd: 420_000 }),
      ],
      counts: { pending: 6, in_progress: 2, needs_input: 1, done: 41 },
      ready: 4,
      inbox: [
        givenItem("gate", 30, { text: "npm test", gate: 1, detail: "1 failing" }),
        givenItem("question", 15, {
          text: "Semicolons or tabs?",
          options: ["tabs", "semicolons"],
          preferred: "semicolons",
        }),
        givenItem("proposal", 21, { text: "Import from CSV", other_task: 12 }),
      ],
      cost: { cost_micro_usd: 1_610_000, sessions: 5, unknown: 2 },
    }),
  );
}

/** The state after some keys, and what the last one asked for. */
export function afterKeys(state: WatchState, ...keys: readonly (string | Key)[]) {
  let now = state;
  let effect: Effect | undefined;
  for (const key of keys) {
    const next = pressed(now, typeof key === "string" ? { name: key } : key);
    now = next.state;
    effect = next.effect;
  }
  return { state: now, effect };
}

/** The screen as text, without colours. */
export function screenText(
  state: WatchState,
  columns = 80,
  rows = 24,
  { ascii = false, now = NOW }: { ascii?: boolean; now?: number } = {},
): string[] {
  const screen = screenOf(state, { columns, rows }, { project: "shop", now });
  return screen.lines.map((line) => render(line, { color: false, ascii }));
}

/**
 * A screen as a test draws it: what stands between its first and its last line, without the indentation of the test. A line
 * `… 5 empty` is that many.
 */
export function drawn(screen: string): string {
  const lines = screen.split("\n").slice(1, -1);
  return lines
    .map((line) => line.replace(/^ {4}/, "").replace(/^… (\d+) empty$/, (_, many) => "\n".repeat(many - 1)))
    .join("\n");
}
