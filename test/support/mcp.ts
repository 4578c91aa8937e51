import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { z } from "zod";
import type { Store } from "../../src/decisions/store.ts";
import { contextSchema, type LaunchContext, signalsContext } from "../../src/mcp/context.ts";
import { createServer } from "../../src/mcp/server.ts";
import type { GatePlace } from "../../src/mcp/verifying/gates-of-call.ts";

/** A client connected to a server of one session, in this process. */
export async function connectAgent(store: Store, task: number, session: string): Promise<Client> {
  return connect(store, signalsContext(session, task));
}

/**
 * A client connected to a server of a context, in this process; what the context does not say is as by default.
 *
 * @param gates where the server runs gates; absent: it runs none
 */
export async function connectWith(
  store: Store,
  context: Partial<z.input<typeof contextSchema>> & Pick<z.input<typeof contextSchema>, "recipe">,
  gates?: GatePlace,
): Promise<Client> {
  return connect(store, contextSchema.parse({ session_id: "c-1", ...context }), gates);
}

async function connect(store: Store, context: LaunchContext, gates?: GatePlace): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createServer({ context, open: async () => store, gates }).connect(theirs);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(ours);
  return client;
}

/** What an agent sees of an answer. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  toolUseId?: string,
): Promise<{ isError: boolean; text: string; structured: unknown }> {
  const result = await client.callTool({
    name,
    arguments: args,
    ...(toolUseId !== undefined && { _meta: { "claudecode/toolUseId": toolUseId } }),
  });
  const [content] = Array.isArray(result.content) ? result.content : [];
  return {
    isError: result.isError === true,
    text: String(content?.text),
    structured: result.structuredContent,
  };
}
