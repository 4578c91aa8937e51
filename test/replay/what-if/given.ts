import { openMemoryLog } from "../../../src/events/memory-log.ts";
import type { Draft, Event } from "../../../src/events/types/index.ts";
import type { WhatIfPolicy } from "../../../src/history/what-if/policy.ts";
import type { TaskDifference, WhatIfReport } from "../../../src/history/what-if/report.ts";
import { whatIf } from "../../../src/history/what-if/what-if.ts";
import { environmentAt, NOON } from "../../events/given.ts";

/** What a policy would have made of a history whose events are appended as they are: no decision is asked. */
export async function whatIfOf(policy: WhatIfPolicy, ...history: readonly Draft[]): Promise<WhatIfReport> {
  const log = openMemoryLog(environmentAt({ now: NOON }, "what-if"));
  if (history.length > 0) await log.append(history);
  return whatIf(log, policy);
}

/** The same of the first events of a log. */
export function whatIfAfter(policy: WhatIfPolicy, events: readonly Event[]): Promise<WhatIfReport> {
  return whatIf(
    { head: async () => events.length, read: async (after, limit) => events.slice(after, after + limit) },
    policy,
  );
}

/** `7 pending 3 → failed 2, parts at 12, status at 18 by settlement 7d → settlement 7a, unknown from 19`. */
export function inWords({ tasks }: WhatIfReport): string[] {
  return tasks.map((difference) => {
    const { task, was, would_be, parts_at, status_parts_at, other_history } = difference;
    const [is, other] = [was, would_be].map((one) => (one ? `${one.status} ${one.stuck_count}` : "nothing"));
    return [
      `${task} ${is} → ${other}`,
      `parts at ${parts_at.position}`,
      ...(status_parts_at ? [`status at ${status_parts_at.position} by ${rulesOf(status_parts_at)}`] : []),
      ...(other_history ? [`unknown from ${other_history.position}`] : []),
    ].join(", ");
  });
}

function rulesOf({ was, would_be }: NonNullable<TaskDifference["status_parts_at"]>): string {
  return `${was?.rule ?? "nothing"} → ${would_be?.rule ?? "nothing"}`;
}
