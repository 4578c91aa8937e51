import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BATCH_LIMIT, type EventLog } from "../../src/events/log.ts";
import { reduceLog } from "../../src/read-model/engine.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { findStandbyPrograms } from "../../test/support/postgres/programs.ts";
import type { Decided } from "../children/fleet-host.ts";
import type { Bench } from "../lib/bench.ts";
import { Child, sharedClock_ms } from "../lib/child.ts";
import { byTurns, createTasks, type Fleet, rateOf, withChildren, withFleet } from "../lib/fleet.ts";
import { atLeast, atMost, type Goal } from "../lib/goals.ts";
import { history, take } from "../lib/history.ts";
import { median } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { flagEvent } from "../lib/project.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";

/** What one comparison found. */
interface Finding {
  readonly row: readonly [what: string, one: string, other: string];
  readonly goals: readonly Goal[];
}

interface Plan {
  readonly scratch: Scratch;
  readonly rounds: number;
  readonly for_ms: number;
  /** Tasks that 64 drivers claim. */
  readonly tasks: number;
  /** Events of the history that a read model is made of. */
  readonly events: number;
}

export const fleet: Bench = {
  name: "fleet",
  async run({ scratch, quick }) {
    const plan: Plan = quick
      ? { scratch, rounds: 1, for_ms: 1_500, tasks: 100, events: 2_000 }
      : { scratch, rounds: 4, for_ms: 5_000, tasks: 1_000, events: 20_000 };
    const title = "One log on PostgreSQL";
    const how = `A primary with two synchronous standbys (ANY 1) on this machine. ${plan.rounds} rounds of ${plan.for_ms / 1_000} s, sides by turns. What an append on one machine was before stands in the last results.md: \`append\`.`;
    const columns = ["", "one side", "other side", "ratio"];
    if (findStandbyPrograms() === undefined) {
      return { title, how: "Not run: install the package postgresql.", columns, rows: [] };
    }
    const findings = await withFleet(async (servers) => {
      const all: Finding[] = [];
      for (const measure of MEASURES) all.push(await measure(servers, plan));
      return all;
    });
    return {
      title,
      how,
      columns,
      rows: findings.map(({ row, goals }) => [...row, goals[0]?.figure ?? ""]),
      goals: findings.flatMap(({ goals }) => goals),
    };
  },
};

type Measure = (fleet: Fleet, plan: Plan) => Promise<Finding>;

const ratio = (one: number, other: number) => one / other;
const perSecond = (rate: number) => `${formatCount(rate)}/s`;

const combining: Measure = async (fleet, { rounds, for_ms }) => {
  const url = await fleet.newLog();
  await makePlainTables(fleet, url);
  const load = { handles: 16, for_ms };
  return withChildren(startWriters(fleet, url, 4), async (writers) => {
    await Promise.all(writers.map((writer) => writer.ask("ready", load)));
    const [one, other] = await byTurns(
      rounds,
      () => rateOf(writers, "append", load),
      () => rateOf(writers, "locked", load),
    );
    const what = "64 writers, combining / lock until durable";
    return {
      row: [what, perSecond(one), perSecond(other)],
      goals: [atLeast(what, ratio(one, other), 4, formatRatio)],
    };
  });
};

const oneWriter: Measure = async (fleet, { rounds, for_ms }) => {
  const url = await fleet.newLog();
  const load = { handles: 1, for_ms };
  return withChildren(startWriters(fleet, url, 1), async (writers) => {
    const [one, other] = await byTurns(
      rounds,
      () => rateOf(writers, "append", load),
      () => rateOf(writers, "bare", load),
    );
    const what = "one writer / bare INSERT and COMMIT";
    return {
      row: [what, perSecond(one), perSecond(other)],
      goals: [atLeast(what, ratio(one, other), 0.6, formatRatio)],
    };
  });
};

const batch: Measure = async (fleet, { scratch, rounds }) => {
  const [server, file] = [await fleet.open(await fleet.newLog()), newLog(scratch.path("batch.db"))];
  const events = Array.from({ length: 1_000 }, (_, index) => flagEvent(index));
  const rate = async (log: EventLog) => {
    const start = performance.now();
    for (let turn = 0; turn < 3; turn++) await log.append(events);
    return 3_000_000 / (performance.now() - start);
  };
  await Promise.all([rate(server), rate(file)]);
  const [one, other] = await byTurns(
    rounds * 2,
    () => rate(server),
    () => rate(file),
  );
  await file.close();
  const what = "batch of 1,000 / SQLite";
  return {
    row: [what, perSecond(one), perSecond(other)],
    goals: [atLeast(what, ratio(one, other), 0.5, formatRatio)],
  };
};

const HOSTS = 6;

const decisionsBesideFacts: Measure = async (fleet, { rounds, for_ms }) => {
  const url = await fleet.newLog();
  await createTasks(await fleet.open(url), HOSTS + 2);
  const hosts = Array.from({ length: HOSTS + 1 }, (_, host) =>
    Child.start("fleet-host", [url, String(host)]),
  );
  return withChildren(hosts, async (children) => {
    const [reporter, ...deciders] = children.toReversed();
    let [decisions, tries] = [0, 0];
    const deciding = async (rate: number) => {
      const facts = rate > 0 ? reporter?.ask("facts", { rate, for_ms }) : undefined;
      const all = await Promise.all(deciders.map((host) => host.ask<Decided>("decide", { for_ms })));
      await facts;
      const sum = all.reduce((total, one) => total + one.decisions, 0);
      if (rate > 0) {
        decisions += sum;
        tries += all.reduce((total, one) => total + one.tries, 0);
      }
      return (sum * 1_000) / for_ms;
    };
    const [one, other] = await byTurns(
      rounds,
      () => deciding(200),
      () => deciding(0),
    );
    const what = "decisions with 200 facts/s / without";
    return {
      row: [what, perSecond(one), perSecond(other)],
      goals: [
        atLeast(what, ratio(one, other), 0.8, formatRatio),
        atMost(
          "conflicts beside facts, each host on its own task",
          tries / decisions - 1,
          0.01,
          (share) => `${(share * 100).toFixed(1)} %`,
        ),
      ],
    };
  });
};

const claims: Measure = async (fleet, { tasks }) => {
  const url = await fleet.newLog();
  await createTasks(await fleet.open(url), tasks);
  const begin_ms = performance.now();
  const drivers = ["a", "b", "c", "d"].map((label) => claimAll([url, label, "16", String(tasks)]));
  const said = (await Promise.all(drivers)).flat();
  const claimed = said.filter(({ session }) => session).length;
  if (claimed !== tasks) throw new Error(`Of ${tasks} tasks ${claimed} were claimed.`);
  const tries = said.reduce((sum, one) => sum + one.tries, 0);
  const what = `64 drivers that claim ${formatCount(tasks)} tasks: tries for each claim`;
  return {
    row: [what, `${formatCount(tries)} tries`, formatTime(performance.now() - begin_ms)],
    goals: [atMost(what, tries / claimed, 2, formatRatio)],
  };
};

const seeing: Measure = async (fleet, { for_ms }) => {
  const url = await fleet.newLog();
  const log = await fleet.open(url);
  return withChildren([Child.start("fleet-host", [url, "0"])], async ([host]) => {
    await host?.ask("follow");
    const acknowledged = new Map<number, number>();
    const roundTrips: number[] = [];
    for (const end_ms = sharedClock_ms() + for_ms; sharedClock_ms() < end_ms; ) {
      const { events } = await log.append([flagEvent(acknowledged.size)]);
      acknowledged.set(events[0]?.position ?? 0, sharedClock_ms());
      await new Promise((resolve) => setTimeout(resolve, 20));
      const start_ms = sharedClock_ms();
      await log.streamVersion("task-1");
      roundTrips.push(sharedClock_ms() - start_ms);
    }
    const seen = (await host?.ask<[number, number][]>("seen")) ?? [];
    const delays = seen.flatMap(([position, at_ms]) => {
      const acked_ms = acknowledged.get(position);
      return acked_ms === undefined ? [] : [Math.max(0, at_ms - acked_ms)];
    });
    const what = "acknowledged to seen / round trip";
    return {
      row: [what, formatTime(median(delays)), formatTime(median(roundTrips))],
      goals: [atMost(what, ratio(median(delays), median(roundTrips)), 4, formatRatio)],
    };
  });
};

const PROJECTS = 8;

const manyProjects: Measure = async (fleet, { rounds, for_ms }) => {
  const urls = await Promise.all(Array.from({ length: PROJECTS }, () => fleet.newLog()));
  const [first = ""] = urls;
  const of = (url: string) => startWriters(fleet, url, 1);
  return withChildren([...urls.flatMap(of), ...urls.flatMap(() => of(first))], async (children) => {
    const load = { handles: 4, for_ms };
    const [one, other] = await byTurns(
      rounds,
      () => rateOf(children.slice(0, PROJECTS), "append", load),
      () => rateOf(children.slice(PROJECTS), "append", load),
    );
    const what = `32 writers, ${PROJECTS} projects / one project`;
    return {
      row: [what, perSecond(one), perSecond(other)],
      goals: [atLeast(what, ratio(one, other), 0.8, formatRatio)],
    };
  });
};

const readModel: Measure = async (fleet, { scratch, rounds, events }) => {
  const file = newLog(scratch.path("history.db"));
  const drafts = history("growing");
  for (let made = 0; made < events; made += 1_000) await file.append(take(drafts, 1_000));
  const server = await fleet.open(await fleet.newLog());
  for (let after = 0; after < events; ) after += await server.restore(await file.records(after, BATCH_LIMIT));
  const rate = async (log: EventLog) => {
    const [fresh, start] = [new ReadModel(":memory:"), performance.now()];
    await reduceLog(log, fresh, { until: events });
    fresh.close();
    return (events * 1_000) / (performance.now() - start);
  };
  const [one, other] = await byTurns(
    rounds,
    () => rate(server),
    () => rate(file),
  );
  await file.close();
  const what = `read model of ${formatCount(events)} events / from SQLite`;
  return {
    row: [what, perSecond(one), perSecond(other)],
    goals: [atLeast(what, ratio(one, other), 0.9, formatRatio)],
  };
};

/** Last, as other measures go on with the first primary. */
const promotion: Measure = async (fleet, { for_ms }) => {
  const url = await fleet.newLog();
  return withChildren(startWriters(fleet, url, 4), async (writers) => {
    await rateOf(writers, "append", { handles: 4, for_ms: 500 });
    const start_ms = sharedClock_ms();
    const load = { handles: 4, start_ms, for_ms: for_ms + 5_000 };
    const appending = Promise.all(writers.map((writer) => writer.ask<number[]>("append", load)));
    await new Promise((resolve) => setTimeout(resolve, for_ms / 2));
    const killed_ms = sharedClock_ms();
    await fleet.cluster.kill(fleet.cluster.primary);
    await fleet.cluster.promote();
    const promoting = sharedClock_ms() - killed_ms;
    const acknowledged = (await appending).flat().toSorted((a, b) => a - b);
    const silence = Math.max(...acknowledged.slice(1).map((at, index) => at - (acknowledged[index] ?? at)));
    const what = "longest silence over a promotion / kill to promoted";
    return {
      row: [what, formatTime(silence), formatTime(promoting)],
      goals: [atMost(what, ratio(silence, promoting), 1.5, formatRatio)],
    };
  });
};

const MEASURES: readonly Measure[] = [
  combining,
  oneWriter,
  batch,
  decisionsBesideFacts,
  claims,
  seeing,
  manyProjects,
  readModel,
  promotion,
];

function startWriters({ cluster }: Fleet, url: string, count: number): Promise<Child>[] {
  return Array.from({ length: count }, () => Child.start("fleet-writer", [url, cluster.primary.url]));
}

/** The log's table without its functions, with a lock that is held until the commit is durable; and a plain one. */
async function makePlainTables({ cluster }: Fleet, url: string): Promise<void> {
  const schema = new URLSearchParams(url.split("?")[1]).get("schema");
  await cluster.primary.ask(`
    CREATE SCHEMA bench;
    CREATE TABLE bench.bare (key bigserial PRIMARY KEY, payload text NOT NULL);
    CREATE TABLE bench.events (LIKE ${schema}.events INCLUDING ALL);
    CREATE FUNCTION bench.append_locked(a_id uuid, a_stream text, a_type text, a_payload text, a_salt bytea, a_actor text)
      RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      at bigint;
      version integer;
      us bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(1);
      SELECT coalesce(max(position), 0) + 1 INTO at FROM bench.events;
      SELECT coalesce(max(stream_version), 0) + 1 INTO version FROM bench.events WHERE stream = a_stream;
      INSERT INTO bench.events (position, id, stream, stream_version, type, schema_version, payload, salt, recorded_us, actor, leaf_hash, tags, host)
        VALUES (at, a_id, a_stream, version, a_type, 1, a_payload, a_salt, us, a_actor, ${schema}.leaf(at, a_id, a_stream, version, a_type, 1,
          us, a_actor, NULL, NULL, a_salt, a_payload), ARRAY[a_stream], 'bench');
      RETURN at;
    END $$;`);
}

interface Claim {
  readonly session?: string;
  readonly tries: number;
}

/** What the drivers of one process say: test/postgres/children/claim-tasks.ts. */
async function claimAll(args: readonly string[]): Promise<Claim[]> {
  const drivers = spawn(process.execPath, [join(import.meta.dirname, "claim-tasks.mjs"), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said: Claim[] = [];
  for await (const line of createInterface(drivers.stdout)) {
    if (line === "ready") drivers.stdin.write("begin\n");
    else said.push(JSON.parse(line));
  }
  return said;
}
