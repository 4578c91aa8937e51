import { dollars } from "../core.ts";

/** A cost in millionths of a dollar; an unknown cost is not 0. */
export function Cost({ microUsd }: { readonly microUsd: number | null }) {
  if (microUsd === null) return <span title="The agent reported no cost.">{dollars(null)}</span>;
  return <>{dollars(microUsd)}</>;
}
