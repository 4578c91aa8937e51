import { taskStatuses } from "../../events/types/fields.ts";
import { policies, policyNames } from "../../events/types/policies.ts";
import type { CorpusReport } from "../../history/what-if/corpus.ts";
import type { WhatIfPolicy } from "../../history/what-if/policy.ts";
import type {
  Departure,
  OrderDifference,
  Parting,
  StatusParting,
  StatusReason,
  TaskDifference,
  WhatIfReport,
} from "../../history/what-if/report.ts";
import type { Saved } from "../../history/what-if/saved.ts";
import { someOf } from "../../lib/some-of.ts";
import { counted, pc, print, printTable, quoteLine } from "../../lib/terminal/output.ts";

/** Prints for people what would have come out differently; of one task only, where it is given. */
export function printReport(report: WhatIfReport, task?: number): void {
  const { tasks, head, sessions, order } = report;
  print(
    `What if ${policyInWords(report.policy)}? ${head} events, ${counted(sessions.ended, "ended session")}.`,
  );
  if (tasks.length === 0) {
    print(sessions.ended === 0 ? "Nothing to compare yet: no session has ended." : "Nothing would differ.");
    return;
  }
  if (task === undefined) {
    print();
    printCounts(report);
  }
  const shown = tasks.filter((one) => task === undefined || one.task === task);
  for (const one of shown) printTask(one);
  if (task !== undefined && shown.length === 0) print(`Task ${task} would be the same.`);
  if (order.first) print(`\n${orderInWords(order, order.first)}`);
  printUnknown(report);
}

/** The same for a corpus: the sums, then each simulation where something parts. */
export function printCorpusReport(report: CorpusReport): void {
  const { simulations, tasks, parted, other_status, unknown, sessions, differing } = report;
  print(`What if ${policyInWords(report.policy)}? ${counted(simulations, "simulation")}.`);
  print();
  printTable(
    ["", "of", ""],
    [
      ["simulations that would differ", simulations, differing.length],
      ["tasks that would differ", tasks, parted],
      ["  with another status, as far as known", tasks, other_status],
      ["  with an unknown outcome", tasks, unknown],
      ["sessions closing with partial", sessions.ended, sessions.partial],
      ["  that reported a learning", sessions.partial, sessions.partial_with_learnings],
      ["  with a stuck count to reset", sessions.partial, sessions.partial_after_stuck],
      ["  with both", sessions.partial, sessions.partial_with_learnings_after_stuck],
      ["sessions closing with stuck, including inferred ones", sessions.ended, sessions.stuck],
      ["sessions that left a question or blocker open, not stuck", sessions.ended, sessions.waiting],
      ["sessions with several closing verbs", sessions.ended, sessions.several_closing_verbs],
    ],
  );
  for (const { simulation, tasks: ofIt, order } of differing) {
    print(`\n${pc.bold(simulation)}`);
    for (const one of ofIt) printTask(one);
    if (order.first) print(orderInWords(order, order.first));
  }
  if (differing.length > 0) printUnknown(report);
}

function printUnknown({ cannot_know }: Pick<WhatIfReport, "cannot_know">): void {
  if (cannot_know.length > 0) print();
  for (const unknown of cannot_know) print(pc.dim(`What-if cannot know ${unknown}.`));
}

function policyInWords(policy: WhatIfPolicy): string {
  const { priorities = {}, ...values } = policy;
  return [
    // Each definition takes a value of its own.
    ...policyNames.flatMap((name) => (name in values ? policies[name].says(values[name] as never) : [])),
    ...Object.entries(priorities).map(([task, priority]) => `task ${task} is ${priority}`),
  ].join(", ");
}

function printCounts({ counts: { was, would_be }, tasks }: WhatIfReport): void {
  const isAllKnown = tasks.every(({ other_history }) => other_history === null);
  const statuses = taskStatuses.filter((status) => was[status] || would_be[status]);
  printTable(
    ["tasks", ...statuses],
    [
      ["was", ...statuses.map((status) => was[status] ?? 0)],
      [
        isAllKnown ? "would be" : "would be, as far as known",
        ...statuses.map((status) => would_be[status] ?? 0),
      ],
    ],
  );
}

function printTask({ task, title, was, would_be, ...where }: TaskDifference): void {
  const [is, other] = [was, would_be].map((standing) =>
    standing ? `${standing.status}, stuck ${standing.stuck_count}` : "not there",
  );
  print(`\n${pc.bold(`#${task} ${quoteLine(title, 60)}`)}`);
  print(`  was ${is}; would be ${other}${where.other_history ? `, as far as known` : ""}`);
  const { parts_at, status_parts_at } = where;
  // Where the status parts at once, its rule says all.
  if (parts_at.position !== status_parts_at?.position)
    print(`  first differs at ${partingInWords(parts_at)}`);
  if (status_parts_at) print(`  status first differs at ${statusInWords(status_parts_at)}`);
  if (where.other_history) print(pc.yellow(`  ${departureInWords(where.other_history)}`));
}

function partingInWords({ position, event, fields }: Parting): string {
  const shown = fields.map(({ table, field, was, would_be }) => {
    const [is, other] = [was, would_be].map((value) => quoteLine(String(value ?? "none"), 30));
    return `${field === null ? table : `${table}.${field}`} ${is}, would be ${other}`;
  });
  return `${position}, ${event}: ${someOf(shown, { most: 3, by: "; " })}`;
}

function statusInWords({ position, event, was, would_be }: StatusParting): string {
  return `${position}, ${event}: ${reasonInWords(was)}, would be ${reasonInWords(would_be)}`;
}

function reasonInWords(reason: StatusReason | null): string {
  return reason ? `${reason.status} (${reason.rule})` : "not there";
}

function departureInWords({
  position,
  event,
  why,
  left_out: { events, sessions },
  saved,
}: Departure): string {
  const leftOut =
    events === 0
      ? ""
      : `; ${counted(events, "event")} and ${counted(sessions, "session")} after that are left out${sessions === 0 ? "" : savedInWords(saved)}`;
  return `history would differ from position ${position} on (${event}: ${why})${leftOut}`;
}

function savedInWords({ seconds, turns, input_tokens, output_tokens, cost_usd }: Saved): string {
  const tokens =
    input_tokens === null && output_tokens === null
      ? []
      : [counted((input_tokens ?? 0) + (output_tokens ?? 0), "token")];
  const took = [
    counted(Math.round(seconds), "second"),
    ...(turns === null ? [] : [counted(turns, "turn")]),
    ...tokens,
    ...(cost_usd === null ? [] : [`$${cost_usd.toFixed(2)}`]),
  ];
  return `, which took ${took.join(", ")}`;
}

function orderInWords({ sessions }: OrderDifference, first: NonNullable<OrderDifference["first"]>): string {
  const next =
    first.would_be === null ? "none would have been ready" : `task ${first.would_be} would have been next`;
  return `The order differs at position ${first.position}: task ${first.was} was started, ${next} (${counted(sessions, "session")} out of order). The sessions are still replayed as they happened.`;
}
