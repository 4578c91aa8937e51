import { bytes, counted, duration } from "../../lib/readable.ts";
import { pc, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { toSeconds } from "../../lib/time.ts";
import { isAlarming } from "../../outside/fleet/alarming.ts";
import type { HostView } from "../../outside/fleet/hosts.ts";
import type { FleetView } from "../../outside/fleet/view.ts";

/** What breaks a promise, and how to mend it. */
export function faultLines({ servers, away_since, read_model }: FleetView): string[] {
  return [
    ...servers.faults.map(({ found, mend }) => `${pc.red("✕")} ${found}. ${mend}`),
    ...(away_since === null
      ? []
      : [
          `  Since ${toSeconds(away_since)} UTC this host has got nothing from the log: what it shows is as of event ${read_model.position}.`,
        ]),
  ];
}

/** The servers of a log, and how far everybody is behind, for people. */
export function serverLines({ log, servers, read_model }: FleetView): string[] {
  const { facts } = servers;
  return [
    facts ? `${log}: ${counted(facts.head, "event")}, epoch ${facts.epoch}, level ${facts.level}` : log,
    ...(facts
      ? [`PostgreSQL ${facts.version}; login ${facts.login} (${facts.rights.join(", ") || "no rights"})`]
      : []),
    ...tableLines(
      ["server", "is", ""],
      servers.servers.map(({ name, is, why = "" }) => [name, is, quoteLine(why, 100)]),
    ),
    ...(facts && facts.standbys.length > 0
      ? tableLines(
          ["standby", "waited for", "behind"],
          facts.standbys.map(({ name, sync, behind_bytes }) => [
            quoteLine(name, 40),
            sync === "sync" || sync === "quorum" ? "yes" : "no",
            behind_bytes === null ? "unknown" : bytes(behind_bytes),
          ]),
        )
      : []),
    ...(read_model.behind === null
      ? []
      : [
          read_model.behind === 0
            ? "This host has read all events."
            : `This host is ${counted(read_model.behind, "event")} behind the log.`,
        ]),
  ];
}

/** The hosts, and who runs what there. */
export function hostLines(hosts: readonly HostView[]): string[] {
  return [
    ...tableLines(
      ["host", "name", "state", "last sign", "level", "open sessions"],
      hosts.map(({ host, name, state, silent_ms, level, sessions }) => [
        host,
        name === null ? "" : quoteLine(name, 40),
        state,
        silent_ms === null ? "" : `${duration(Math.round(silent_ms / 1_000))} ago`,
        level,
        sessions.map(sessionLine).join("\n"),
      ]),
    ),
    ...hosts
      .filter(isAlarming)
      .map(({ host }) =>
        pc.yellow(
          `! ${host} is silent, and has left work open. If it is dead, run \`signalbox fleet lost ${host}\`.`,
        ),
      ),
  ];
}

function sessionLine({ session, task, task_title, agent, driver }: HostView["sessions"][number]): string {
  const by = [agent, driver === null ? null : `driver ${driver}`].filter((one) => one !== null);
  const who = by.length === 0 ? "" : ` (${quoteLine(by.join(", "), 60)})`;
  return `${quoteLine(session, 40)}: ${task === null ? "no task" : `#${task} ${quoteLine(task_title, 40)}`}${who}`;
}
