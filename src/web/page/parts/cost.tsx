import { dollars } from "../../../lib/readable.ts";

/** A cost in millionths of a dollar; one that nobody knows is no zero. */
export function Cost({ microUsd }: { readonly microUsd: number | null }) {
  if (microUsd === null) return <span title="The agent reported no cost.">{dollars(null)}</span>;
  return <>{dollars(microUsd)}</>;
}
