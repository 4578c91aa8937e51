import { useAddress } from "../../address.ts";
import { counted } from "../../core.ts";
import { type Fleet, useFleet } from "../../parts/fleet.ts";
import { Empty, MessageText, Unanswered } from "../../parts/states.tsx";
import { durationOf, Moment, useClock } from "../../parts/time.tsx";
import { millisecondsOf } from "../../parts/zone.ts";
import { HostCard } from "./host-card.tsx";
import { Servers } from "./servers.tsx";
import "./hosts.css";

/** The hosts that share the log, who runs what where, and the log's servers. Always of the present. */
export function HostsView() {
  const { at } = useAddress();
  const { isShared, fleet, error } = useFleet();
  if (isShared === false && !error)
    return (
      <>
        <h1 class="hidden-but-read">Hosts</h1>
        <Empty>This project's log is a file on this machine, so it has no other hosts.</Empty>
      </>
    );
  if (error || !fleet) return <Unanswered view="Hosts" what="the hosts" error={error} />;
  return (
    <div class="hosts scroll">
      <h1 class="hidden-but-read">Hosts</h1>
      {at !== undefined && <p class="muted">Hosts and servers are shown as they are now.</p>}
      <Troubles fleet={fleet} />
      <section aria-labelledby="hosts-hosts">
        <h2 id="hosts-hosts">{counted(fleet.hosts.length, "host")}</h2>
        <ul class="hosts-list">
          {fleet.hosts.map((host) => (
            <HostCard key={host.host} host={host} isHeard={fleet.servers.facts !== null} />
          ))}
        </ul>
      </section>
      <Servers fleet={fleet} />
    </div>
  );
}

/** What breaks a promise, and how to mend it. */
function Troubles({ fleet: { servers, away_since, read_model } }: { readonly fleet: Fleet }) {
  return (
    <>
      {servers.faults.map(({ found, mend }) => (
        <p key={found} class="fault" role="alert">
          <MessageText text={`${found[0]?.toUpperCase()}${found.slice(1)}. ${mend}`} />
        </p>
      ))}
      {away_since !== null && (
        <p class="hosts-away">
          This host has got nothing from the log since <Moment time={away_since} /> (
          <Lasting since={away_since} />
          ). What you see is as of #{read_model.position.toLocaleString("en")}.
        </p>
      )}
    </>
  );
}

function Lasting({ since }: { readonly since: string }) {
  return <>{durationOf(Math.max(0, useClock() - millisecondsOf(since)))}</>;
}
