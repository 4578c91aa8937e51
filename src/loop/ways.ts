import { loadSandboxes, type Sandboxes } from "../adapters.ts";
import type { Config } from "../config/config.ts";
import { sandboxOf } from "../config/schema.ts";
import { openRelays, type Relays } from "./relays.ts";

/** Where the agents of a loop run, and how they reach their tools. */
export interface Ways {
  /** Serves the sessions' tools on sockets; absent: clients start servers of their own. */
  readonly relays: Relays | undefined;
  /** Keeps their agents in sandboxes; absent: they can do what this user can. */
  readonly sandboxes: Sandboxes | undefined;
}

/** @throws ConfigError: there can be no sockets in the folder, or no sandboxes here */
export async function openWays(config: Config, readModelPath: string): Promise<Ways> {
  const settings = sandboxOf(config);
  if (!settings) return { relays: openRelays(config), sandboxes: undefined };
  // Most drivers need none of it.
  const { openSandboxes } = await loadSandboxes();
  const sandboxes = await openSandboxes(config, settings, readModelPath);
  return { relays: openRelays(config), sandboxes };
}
