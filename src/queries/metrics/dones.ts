import { type RawBuilder, sql } from "kysely";
import { AGENT } from "../../events/actors.ts";
import { question, type Tables } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { inGroups, isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";
import { countEach, sum } from "./spread.ts";

/** What became of a session that closed with done (docs/metrics.md, Dones). */
export type Fate = "stood" | "refused_by_evidence" | "refused_by_gates" | "sent_back" | "waiting";

/** Of the sessions of each agent and model that closed with done, how many came to what; by when they ended. */
export function doneFigures(readModel: ReadView, scope: Scope) {
  return columnsByGroup(readModel, scope, donesOf(scope)).flatMap(({ group, dones }) =>
    inGroups(dones, ([agent]) => agent).flatMap(([agent, ofAgent]) =>
      inGroups(ofAgent, ([, model]) => model).map(([model, all]) => {
        const fates = countEach(all.map(([, , fate]) => fate));
        const count = (fate: Fate) => fates.get(fate) ?? 0;
        const decided = all.length - count("waiting");
        return {
          ...{ group, agent, model },
          claimed: all.length,
          stood: count("stood"),
          refused_by_evidence: count("refused_by_evidence"),
          refused_by_gates: count("refused_by_gates"),
          sent_back: count("sent_back"),
          waiting: count("waiting"),
          share: decided === 0 ? null : Math.round((count("stood") / decided) * 1_000) / 1_000,
          repeated: sum(all.map(([, , , repeated]) => repeated)),
        };
      }),
    ),
  );
}

type Done = readonly [agent: string | null, model: string | null, fate: Fate, repeated: 0 | 1];

const donesOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("session_times as t")
      .leftJoin("agents as a", "a.session_id", "t.session_id")
      .where("t.closing", "=", "done")
      .where(({ ref }) => isIn(given, ref("t.completed_at")))
      .select((eb) => {
        const refused = eb("t.session_id", "in", refusedByEvidence(tables));
        const fate: RawBuilder<Fate> = sql`CASE
          WHEN ${eb.ref("t.unverified")} = 1 THEN iif(${refused}, 'refused_by_evidence', 'refused_by_gates')
          WHEN ${eb("t.ended_position", "in", sentBack(tables))} THEN 'sent_back'
          WHEN ${eb("t.started_position", "in", waiting(tables))} THEN 'waiting' ELSE 'stood' END`;
        const repeated = eb("t.session_id", "in", doneTwice(tables));
        return [
          keysOf(eb.ref("t.completed_at"), eb.ref("t.task_id")).as("keys"),
          packed(sql<Done>`json_array(${eb.ref("a.agent")}, ${eb.ref("a.model")}, ${fate}, ${repeated})`).as(
            "dones",
          ),
        ];
      }),
  ),
);

function refusedByEvidence(tables: Tables) {
  return tables.selectFrom("session_findings").select("session_id").where("led_to", "=", "refuse");
}

/** The ends of the sessions after which a human took the task out of done, or out of the waiting for acceptance. */
function sentBack(tables: Tables) {
  return tables
    .selectFrom("status_changes as c")
    .leftJoin("task_acts as h", (join) =>
      join.onRef("h.position", "=", "c.position").onRef("h.task_id", "=", "c.task_id"),
    )
    .innerJoin("sessions as s", (join) =>
      join.onRef("s.task_id", "=", "c.task_id").onRef("s.ended_position", "<", "c.position"),
    )
    .where((eb) =>
      eb.or([
        eb("c.rule", "=", "humans: send back"),
        eb.and([
          eb("c.rule", "=", "humans: set a status"),
          eb("c.from_status", "in", ["done", "needs_input"]),
          eb("c.to_status", "<>", "done"),
          eb("h.actor", "<>", AGENT),
        ]),
      ]),
    )
    .groupBy(["c.position", "c.ordinal"])
    .select(({ fn }) => fn.max("s.ended_position").as("ended"));
}

/** The starts of the last sessions of tasks that wait for acceptance. */
function waiting(tables: Tables) {
  return tables
    .selectFrom("tasks")
    .select("last_start")
    .where("status", "=", "needs_input")
    .where("awaiting_acceptance", "=", 1);
}

/** Sessions that had said done before the done that counts. */
function doneTwice(tables: Tables) {
  return tables
    .selectFrom("signals as g")
    .innerJoin("sessions as s", (join) =>
      join.onRef("s.id", "=", "g.session_id").onRef("s.last_closing_position", ">", "g.id"),
    )
    .where("g.verb", "=", "done")
    .select("g.session_id");
}
