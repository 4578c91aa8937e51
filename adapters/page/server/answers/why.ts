import { z } from "zod";
import {
  ascending,
  type CitedEvent,
  type ExplainedChange,
  type ItemStep,
  type NextStep,
  type Rule,
  shorten,
  type TaskStatus,
  whyItem,
  whySession,
  whyTask,
} from "../core.ts";
import type { Moment } from "../moment.ts";
import { defineAnswer } from "./answer.ts";

/** What can be explained. */
const explained = ["task", "question", "blocker", "suggestion", "session"] as const;

/** An explanation: the reasons, the latest first. */
export interface Why {
  /** The current status, state or outcome. */
  readonly is: string;
  readonly reasons: readonly WhyReason[];
  /** The number of earlier reasons. */
  readonly more: number;
  readonly next: readonly NextStep[];
  /** All cited events, ascending. */
  readonly events: readonly CitedEvent[];
}

interface WhyReason {
  /** The change of a task's status; null for other things. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus | null;
  /** Absent if this version does not know the rule. */
  readonly rule?: Rule;
  /** Positions, ascending; at most the last few. */
  readonly events: readonly number[];
}

/** Explains a task's status, an item's state or a session's outcome; null if not found. */
export const whyAnswer = defineAnswer({
  name: "why",
  query: z.strictObject({ kind: z.enum(explained), of: z.string().min(1).max(200) }),
  answer: async (moment, { kind, of }): Promise<Why | null> => {
    switch (kind) {
      case "task":
        return whyOfTask(moment, Number(of));
      case "session":
        return whyOfSession(moment, of);
      default:
        return whyOfItem(moment, kind, Number(of));
    }
  },
});

async function whyOfTask({ readModel, log }: Moment, id: number): Promise<Why | null> {
  const found = await whyTask(readModel, log, id);
  if (!found) return null;
  const { status, ready, still, because, next, events } = found;
  const is = status === null ? "deleted" : ready ? `${status}, ready` : status;
  const now = still
    ? [{ from: null, to: status, ...(still.means && { rule: still.means }), events: still.causes }]
    : [];
  return limited({ is, reasons: [...now, ...because.flatMap(changeReasons)], next, events });
}

async function whyOfSession({ readModel, log }: Moment, id: string): Promise<Why | null> {
  const found = await whySession(readModel, log, id);
  if (!found) return null;
  const { outcome, because, events } = found;
  return limited({ is: outcome ?? "open", reasons: because.map(stepReason), next: [], events });
}

async function whyOfItem(
  { readModel, log }: Moment,
  kind: "question" | "blocker" | "suggestion",
  id: number,
): Promise<Why | null> {
  const found = Number.isSafeInteger(id) ? await whyItem(readModel, log, { kind, id }) : undefined;
  if (!found) return null;
  return limited({ is: found.state, reasons: found.because.map(stepReason), next: [], events: found.events });
}

/** A change, then the rules that applied before it, the latest first. */
function changeReasons({ from, to, means, after, causes, counted }: ExplainedChange): WhyReason[] {
  const events = ascending([...causes, ...counted]).slice(-EVENTS);
  const before = after.toReversed().map((rule) => ({ from: null, to: null, rule, events: [] }));
  return [{ from, to, ...(means && { rule: means }), events }, ...before];
}

function stepReason({ means, events }: ItemStep): WhyReason {
  return { from: null, to: null, rule: means, events: events.slice(-EVENTS) };
}

/** Cuts the answer to what one can read at a glance. */
function limited({ reasons, events, ...rest }: Omit<Why, "more">): Why {
  const shown = reasons.slice(0, REASONS);
  const named = new Set([...shown, ...rest.next].flatMap((part) => part.events));
  return {
    ...rest,
    reasons: shown,
    more: reasons.length - shown.length,
    events: events
      .filter(({ position }) => named.has(position))
      .map((fact) => ({ ...fact, text: shorten(fact.text, TEXT) })),
  };
}

const REASONS = 8;
const EVENTS = 12;
const TEXT = 200;
