import { InMemoryTransport, Client as NewClient } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { AgentServer } from "../../../src/mcp/server.ts";

/** How real clients choose the version in which they speak to a server. */
export const CLIENTS = ["sdk 1", "sdk 2 by default", "sdk 2 automatic", "sdk 2 pinned"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** The version that each of them and this server agree on. */
export const AGREED: Readonly<Record<ClientName, string>> = {
  "sdk 1": "2025-11-25",
  "sdk 2 by default": "2025-11-25",
  "sdk 2 automatic": "2026-07-28",
  "sdk 2 pinned": "2026-07-28",
};

const NEGOTIATION = {
  "sdk 2 by default": {},
  "sdk 2 automatic": { versionNegotiation: { mode: "auto" } },
  "sdk 2 pinned": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
} as const;

/** How a test's client introduces itself. */
export const INFO = { name: "test", version: "1" };

/** A client of the SDK's second generation. */
export function newClient(name: Exclude<ClientName, "sdk 1">, capabilities = {}): NewClient {
  return new NewClient(INFO, { ...NEGOTIATION[name], capabilities });
}

/** Connects a client of the SDK's second generation to a server in this process. */
export async function connectHere(
  server: Pick<AgentServer, "connect">,
  client: NewClient,
): Promise<NewClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  onTestFinished(() => client.close());
  return client;
}
