import type { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import { stateVariables } from "../../../src/config/state-folder.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { type ClientName, INFO, newClient } from "./clients.ts";

/** A client connected to `signalbox mcp` in a process of its own. */
export async function connectProcess(
  name: ClientName,
  env: Readonly<Record<string, string>>,
): Promise<OldClient | NewClient> {
  const launch = {
    command: process.execPath,
    args: [packagePath("bin/signalbox.js"), "mcp"],
    env: { ...stateVariables(process.env), ...env },
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
