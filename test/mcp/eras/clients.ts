import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";

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

const INFO = { name: "test", version: "1" };

/** A client of the SDK's second generation. */
export function newClient(name: Exclude<ClientName, "sdk 1">, capabilities = {}): NewClient {
  return new NewClient(INFO, { ...NEGOTIATION[name], capabilities });
}

/** A client connected to `signalbox mcp` in a process of its own. */
export async function connectProcess(
  name: ClientName,
  env: Readonly<Record<string, string>>,
): Promise<OldClient | NewClient> {
  const launch = {
    command: process.execPath,
    args: [packagePath("bin/signalbox.js"), "mcp"],
    env: { ...env },
  };
  if (name === "sdk 1") {
    const client = new OldClient(INFO);
    await client.connect(new OldStdio(launch));
    onTestFinished(() => client.close());
    return client;
  }
  const client = newClient(name);
  await client.connect(new NewStdio(launch));
  onTestFinished(() => client.close());
  return client;
}
