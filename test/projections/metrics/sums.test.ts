import fc from "fast-check";
import { expect, test } from "vitest";
import { openProject } from "../../../src/api/project.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { chart } from "../../../src/queries/charts/charts.ts";
import { type Metrics, metrics } from "../../../src/queries/metrics/metrics.ts";
import type { MetricsOptions } from "../../../src/queries/metrics/scope.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { runCorpusInto } from "../../../src/replay/run.ts";
import { loadSimulations } from "../../../src/replay/simulation.ts";
import { histories } from "../../properties/commands.ts";
import { reduceInto } from "../../properties/reducing.ts";
import { assertUntil, eventsUnder } from "../../properties/runs.ts";
import { freshFolder } from "../../support/project.ts";

const NOON = Date.UTC(2026, 1, 11, 12) * 1_000;
const groups = [undefined, "feature", "discipline", "day"] as const;

/** Microseconds: sums of seconds as doubles would be a hair off. */
const sum = (rows: readonly { readonly total_s: number }[]) =>
  rows.reduce((total, { total_s }) => total + Math.round(total_s * 1_000_000), 0);
const count = (rows: readonly object[], column: string) =>
  rows.reduce((total, row) => total + Number(Object.entries(row).find(([name]) => name === column)?.[1]), 0);

function expectSums(readModel: ReadModel, options: MetricsOptions): void {
  const whole = metrics(readModel, { now: options.now });
  const found = metrics(readModel, options);
  expect(sum(found.phases)).toBe(sum(found.sessions));
  expect(sum(found.sessions)).toBe(sum(whole.sessions));
  for (const outcome of ["sessions", "open", "success", "partial", "failure", "timeout", "cancelled"])
    expect(count(found.sessions, outcome)).toBe(count(whole.sessions, outcome));
  for (const row of found.sessions)
    expect(row.open + row.success + row.partial + row.failure + row.timeout + row.cancelled).toBe(
      row.sessions,
    );
  for (const row of found.closings) {
    const { ended, done, unverified, partial, stuck, inferred_stuck, none } = row;
    expect(done + unverified + partial + stuck + inferred_stuck + none).toBe(ended);
  }
  expect(count(found.closings, "ended")).toBe(
    count(whole.sessions, "sessions") - count(whole.sessions, "open"),
  );
  expectDones(readModel, found);
  for (const { asked, answered, dismissed, informational, waiting } of found.questions)
    expect(answered + dismissed + informational + waiting).toBe(asked);
  expect(count(found.gates, "attempts")).toBe(count(whole.gates, "attempts"));
  expect(count(found.learnings, "learnings")).toBe(count(whole.learnings, "learnings"));
}

/** Each done of `closings` is in one column; the chart, which is counted in another way, has the same. */
function expectDones(readModel: ReadModel, { dones, closings }: Metrics): void {
  for (const { claimed, stood, refused_by_evidence, refused_by_gates, sent_back, waiting } of dones)
    expect(stood + refused_by_evidence + refused_by_gates + sent_back + waiting).toBe(claimed);
  const unverified = count(dones, "refused_by_evidence") + count(dones, "refused_by_gates");
  expect(unverified).toBe(count(closings, "unverified"));
  expect(count(dones, "claimed")).toBe(count(closings, "done") + unverified);
  const ever = { day: "ever", after: 0, upto: Number.MAX_SAFE_INTEGER, start: 0, end: 0 };
  const [inChart = {}] = chart(readModel, "dones", [ever], 0).rows;
  expect(inChart).toEqual({
    day: "ever",
    ...Object.fromEntries(FATES.map((fate) => [fate, count(dones, fate)])),
  });
  const byAgent = chart(readModel, "dones_by_agent", [ever], 0).rows;
  for (const column of ["claimed", ...FATES]) expect(count(byAgent, column)).toBe(count(dones, column));
}

const FATES = ["stood", "waiting", "refused_by_evidence", "refused_by_gates", "sent_back"];

test("in any history the times in phases add up to the sessions' length, for any grouping", async () => {
  let tried = 0;
  await assertUntil(
    fc.asyncProperty(
      histories,
      fc.array(fc.integer({ min: 1, max: 10_000_000_000 }), { minLength: 1 }),
      async (history, steps) => {
        let [now, calls] = [NOON, 0];
        const events = await eventsUnder(history, () => {
          now += steps[calls++ % steps.length] ?? 1;
          return now;
        });
        const readModel = new ReadModel(":memory:");
        reduceInto(readModel, events);
        for (const by of groups) expectSums(readModel, { now: now + 1, by });
        tried += metrics(readModel, { now }).sessions[0]?.sessions ?? 0;
        readModel.close();
      },
    ),
    15,
    () => tried > 15,
  );
});

test("over the corpus the metrics add up, and match the tables", async () => {
  const folder = freshFolder();
  await runCorpusInto(folder, loadSimulations([packagePath("fixtures/sims")]), { inProcess: true }, () => {});
  const project = await openProject(folder);
  try {
    const now = NOON * 2;
    for (const by of groups) expectSums(project.store.readModel, { now, by });
    const [lengths] = await project.queries.sql(
      `SELECT count(*) AS sessions,
         round(sum((julianday(completed_at) - julianday(started_at)) * 86400)) AS total_s FROM sessions`,
    );
    const { sessions } = metrics(project.store.readModel, { now });
    expect(sessions).toMatchObject([{ sessions: 129, open: 0 }]);
    expect({ sessions: sessions[0]?.sessions, total_s: Math.round(sessions[0]?.total_s ?? 0) }).toEqual(
      lengths,
    );
  } finally {
    await project.close();
  }
});
