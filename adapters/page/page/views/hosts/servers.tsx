import { bytes, counted, visible } from "../../core.ts";
import type { Fleet } from "../../parts/fleet.ts";

/** The servers that keep the log, and how far everybody is behind. */
export function Servers({ fleet: { log, servers, read_model } }: { readonly fleet: Fleet }) {
  const { facts } = servers;
  return (
    <section aria-labelledby="hosts-servers">
      <h2 id="hosts-servers">{counted(servers.servers.length, "server")}</h2>
      <p class="mono hosts-url">{visible(log)}</p>
      {facts && (
        <p class="muted">
          PostgreSQL {visible(facts.version)} · {counted(facts.head, "event")} · epoch {facts.epoch} · level{" "}
          {facts.level}
        </p>
      )}
      <ul class="hosts-servers">
        {servers.servers.map(({ name, is, why }) => (
          <li key={name}>
            <span class="mono">{visible(name)}</span> <span class={`badge server-${is}`}>{is}</span>
            {why !== undefined && <span class="muted"> {visible(why)}</span>}
          </li>
        ))}
      </ul>
      {facts && (
        <ul class="hosts-servers" aria-label="Standbys">
          {facts.standbys.map((standby) => (
            <li key={standby.name}>
              Standby <b>{visible(standby.name)}</b> {lagInWords(standby)}
            </li>
          ))}
        </ul>
      )}
      {read_model.behind !== null && (
        <p>
          {read_model.behind === 0
            ? "This host has read all events."
            : `This host is ${counted(read_model.behind, "event")} behind the log.`}
        </p>
      )}
    </section>
  );
}

function lagInWords({
  sync,
  behind_bytes,
}: NonNullable<Fleet["servers"]["facts"]>["standbys"][number]): string {
  const lag =
    behind_bytes === null
      ? "may be behind: this login may not see how far"
      : behind_bytes === 0
        ? "has everything"
        : `is ${bytes(behind_bytes)} of the journal behind`;
  return `${lag}; appends ${sync === "sync" || sync === "quorum" ? "wait" : "do not wait"} for it`;
}
