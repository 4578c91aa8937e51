import type { Store } from "../../decisions/store.ts";
import type { HostSign } from "../../events/log.ts";
import { openGateRuns } from "../../queries/gate-runs.ts";
import { listHosts } from "../../queries/hosts.ts";
import { type OpenSession, openSessions } from "../../queries/open-sessions.ts";
import { ask } from "../../read-model/ask.ts";
import type { ReadView } from "../../read-model/read-view.ts";

/**
 * What is known of a host. `alive`: it gives signs of life. `suspect`: it has been silent for too long; nothing follows from that.
 * `lost`: it was declared lost, and has started nothing since. `unknown`: the log has no signs of life of it, or does not answer.
 */
type HostState = "own" | "alive" | "suspect" | "lost" | "unknown";

export interface HostView {
  readonly host: string;
  /** Null if no sign of life and no gate run told it. */
  readonly name: string | null;
  readonly state: HostState;
  /** The epoch that is lost if it is declared lost now. */
  readonly epoch: number;
  /** The level of the log that its program writes; null if it gave no sign of life. */
  readonly level: number | null;
  /** Milliseconds since its last sign of life; null if there is none. */
  readonly silent_ms: number | null;
  /** When it was last declared lost; null if it never was. */
  readonly lost_at: string | null;
  /** Its open sessions. */
  readonly sessions: readonly Omit<OpenSession, "host">[];
  /** Its open gate runs, by the positions at which they started. */
  readonly gate_runs: readonly number[];
}

/** What the hosts of a log are judged by. */
interface Judged {
  /** The host that looks; undefined where there is no folder. */
  readonly own: { readonly host: string; readonly name: string } | undefined;
  /** The last signs of life; undefined for a log that has none, or does not answer. */
  readonly signs: readonly HostSign[] | undefined;
  readonly silence_ms: number;
}

/** Every host that has worked on the project or given a sign of life. @throws LogError */
export async function viewHosts(store: Store, silence_ms: number): Promise<HostView[]> {
  const signs = await store.log.hosts?.list();
  return ask(store, (readModel) => hostsIn(readModel, { own: store.ownHost?.(), signs, silence_ms }));
}

/** The same, as the read model is now. */
export function hostsIn(readModel: ReadView, { own, signs: heard = [], silence_ms }: Judged): HostView[] {
  const signs = new Map(heard.map((sign) => [sign.host, sign]));
  const rows = new Map(listHosts(readModel).map((row) => [row.host, row]));
  const open = openSessions(readModel);
  const runs = openGateRuns(readModel);
  const hosts = new Set([...(own ? [own.host] : []), ...rows.keys(), ...signs.keys()]);
  return [...hosts].map(viewOf).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));

  function viewOf(host: string): HostView {
    const row = rows.get(host);
    const sign = signs.get(host);
    const epoch = row?.epoch ?? 1;
    // After a loss, a sign of life is one of the lost epoch until the host comes back.
    const isBack = sign ? sign.epoch >= epoch : (row?.last_start ?? 0) > (row?.lost_position ?? 0);
    return {
      host,
      name: sign?.name ?? (host === own?.host ? own.name : (row?.name ?? null)),
      state: stateOf(),
      epoch,
      level: sign?.level ?? null,
      silent_ms: sign?.silent_ms ?? null,
      lost_at: row?.lost_at ?? null,
      sessions: open.flatMap(({ host: where, ...session }) => (where === host ? [session] : [])),
      gate_runs: runs.filter((run) => run.host === host).map(({ id }) => id),
    };

    function stateOf(): HostState {
      if (host === own?.host) return "own";
      if (epoch > 1 && !isBack) return "lost";
      if (!sign) return "unknown";
      return sign.silent_ms < silence_ms ? "alive" : "suspect";
    }
  }
}

/** What needs somebody's attention comes first. */
const ORDER: readonly HostState[] = ["own", "suspect", "alive", "unknown", "lost"];
