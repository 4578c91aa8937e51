/* What the core asks of trackers, by src/adapters.ts. */
export { keepSyncing } from "./keep-syncing.ts";
export { openTracker } from "./open.ts";
export { syncTracker } from "./sync.ts";
