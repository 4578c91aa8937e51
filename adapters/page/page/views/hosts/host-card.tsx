import { isAlarming, visible } from "../../core.ts";
import { Copy } from "../../parts/copy.tsx";
import type { Fleet } from "../../parts/fleet.ts";
import { SessionLink, TaskLink } from "../../parts/links.tsx";
import { Ago, durationOf, Moment } from "../../parts/time.tsx";

type Host = Fleet["hosts"][number];

/** @param isHeard whether the log answers, without which nobody knows who lives */
export function HostCard({ host, isHeard }: { readonly host: Host; readonly isHeard: boolean }) {
  const { host: id, name, state, level, sessions } = host;
  const command = `signalbox fleet lost ${id}`;
  return (
    <li class={`host is-${isAlarming(host) ? "alarming" : state}`}>
      <p class="host-head">
        <b>{visible(name ?? "unnamed")}</b> <span class="badge">{stateInWords(host, isHeard)}</span>
        {level !== null && <span class="muted">level {level}</span>}
        <span class="muted mono host-id">{id}</span>
      </p>
      {isAlarming(host) && (
        <p>
          Nothing has ended there. If it is dead, run <code>{command}</code>: its sessions end, and its tasks
          are ready again. <Copy what="command" text={() => command} />
        </p>
      )}
      {state === "lost" && host.lost_at !== null && (
        <p class="muted">
          Declared lost at <Moment time={host.lost_at} />.
        </p>
      )}
      <ul>
        {sessions.map((session) => (
          <HostSession key={session.session} session={session} />
        ))}
      </ul>
      {sessions.length === 0 && <p class="muted">No open sessions</p>}
    </li>
  );
}

function HostSession({ session }: { readonly session: Host["sessions"][number] }) {
  const { session: id, task, task_title, agent, driver, state, started_at } = session;
  return (
    <li class="host-session">
      <TaskLink id={task}>{task === null ? "no task" : `#${task} ${visible(task_title)}`}</TaskLink>
      <span class="muted">
        {agent !== null && `${visible(agent)} · `}
        {state} · started <Ago time={started_at} />
      </span>
      <span class="muted host-by">
        <SessionLink id={id} />
        {driver !== null && ` by driver ${visible(driver)}`}
      </span>
    </li>
  );
}

function stateInWords({ state, silent_ms }: Host, isHeard: boolean): string {
  const silence = silent_ms === null ? "" : durationOf(silent_ms);
  switch (state) {
    case "own":
      return "this host";
    case "alive":
      return `alive, last sign ${silence} ago`;
    case "suspect":
      return `suspect: silent for ${silence}`;
    case "lost":
      return "lost";
    case "unknown":
      return isHeard ? "no signs of life" : "unknown while the log is away";
  }
}
