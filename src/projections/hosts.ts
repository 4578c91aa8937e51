import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, nullable, type Row, text } from "./table.ts";

const hostsTable = defineTable("hosts", {
  description: "The hosts on which work has started. Which of them live is no lasting fact, and not here.",
  columns: {
    host: means(text, "its id; `sessions.host` and `gate_runs.host` refer to it"),
    name: means(nullable(text), "the name of the machine, as its last gate run told it"),
    epoch: means(integer, "1 and one more each time it was declared lost"),
    sessions: means(integer, "how many have started there"),
    last_start: means(nullable(integer), "the position at which the last of them started"),
    lost_position: means(
      nullable(integer),
      "of the last event that declared it lost; what started there later is of the next epoch",
    ),
    lost_at: nullable(text),
  },
  key: ["host"],
});
export type HostRow = Row<typeof hostsTable>;

const tables = { hosts: hostsTable };

/** Which hosts have worked on the project, and which were declared lost. */
export const hosts = defineProjection({
  name: "hosts",
  version: 1,
  tables,
  on: {
    "session.started": ({ payload: { host }, position }, rows) => {
      if (host === undefined) return;
      const { sessions } = known(rows, host);
      rows.hosts.update(host, { sessions: sessions + 1, last_start: position });
    },
    "gate.started": ({ payload: { host, runner } }, rows) => {
      if (host === undefined) return;
      if (known(rows, host).name !== runner.host) rows.hosts.update(host, { name: runner.host });
    },
    "merge.begun": ({ payload: { host } }, rows) => {
      if (host !== undefined) known(rows, host);
    },
    "host.lost": ({ payload: { host, epoch }, position, recordedAt }, rows) => {
      known(rows, host);
      const lost = { epoch: epoch + 1, lost_position: position, lost_at: toSqlTime(recordedAt) };
      rows.hosts.update(host, lost);
    },
  },
});

/** The row of a host, made where there is none. */
function known(rows: RowsOf<typeof tables>, host: string): HostRow {
  const row = rows.hosts.get(host);
  if (row) return row;
  const first = {
    host,
    name: null,
    epoch: 1,
    sessions: 0,
    last_start: null,
    lost_position: null,
    lost_at: null,
  };
  rows.hosts.insert(first);
  return first;
}
