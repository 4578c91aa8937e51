import { type HostRow, hosts } from "../projections/hosts.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** The hosts on which work has started, by their ids. */
export function listHosts(readModel: ReadView): HostRow[] {
  return readModel.rowsOf(hosts.tables).hosts.scan();
}

export function findHost(readModel: ReadView, host: string): HostRow | undefined {
  return readModel.rowsOf(hosts.tables).hosts.get(host);
}

/** Whether what started on a host at a position is of an epoch that was declared lost. */
export function isLost(readModel: ReadView, host: string | null, started: number): boolean {
  const lost = host === null ? null : (findHost(readModel, host)?.lost_position ?? null);
  return lost !== null && started < lost;
}
