import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { z } from "zod";
import type { Store } from "../../decisions/store.ts";
import { turns } from "../../lib/turns.ts";
import { RESOURCE_METHODS } from "./methods.ts";
import type { Resources } from "./resources.ts";

/** The server's resource capabilities. */
export const RESOURCE_CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  completions: {},
} as const;

/**
 * Adds resources to a server: the same in every recipe, since they are read-only. The code is
 * loaded at the first request for one, which keeps the start fast. Requests are answered one at a
 * time, in parallel to tool calls.
 *
 * @param open opens the project on first use
 */
export function serveResources(server: Server, open: () => Promise<Store>): ResourceService {
  let resources: Resources | undefined;
  const inTurn = turns();
  for (const method of RESOURCE_METHODS) {
    // The lazily loaded code checks their parameters.
    const anyRequest = z.looseObject({ method: z.literal(method), params: z.unknown().optional() });
    server.setRequestHandler(anyRequest, ({ params }) =>
      inTurn(async () => {
        resources ??= await load(server, open);
        return resources.answer(method, params);
      }),
    );
  }
  const settled = () => inTurn(async () => {});
  const stop = () => inTurn(async () => resources?.stop());
  server.onclose = () => void stop();
  return { settled, stop };
}

export interface ResourceService {
  /** Resolves when every request received so far is answered. */
  settled(): Promise<unknown>;
  /**
   * Stops following the log, so that it can be closed. Happens automatically when the client
   * disconnects.
   */
  stop(): Promise<void>;
}

async function load(server: Server, open: () => Promise<Store>): Promise<Resources> {
  const { Resources } = await import("./resources.ts");
  return new Resources(await open(), server);
}
