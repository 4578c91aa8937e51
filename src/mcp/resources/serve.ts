import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { z } from "zod";
import type { Store } from "../../decisions/store.ts";
import { turns } from "../../lib/turns.ts";
import { RESOURCE_METHODS } from "./methods.ts";
import type { Resources } from "./resources.ts";

/** What a server says of itself that has resources. */
export const RESOURCE_CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  completions: {},
} as const;

/**
 * Gives a server its resources: the same in every recipe, since they are only read. All that answers for them is loaded
 * with the first request of them, so that a start does without it. They are answered one after the other, beside the
 * calls of tools.
 *
 * @param open opens the project, the first time that it is needed
 */
export function serveResources(server: Server, open: () => Promise<Store>): ResourceService {
  let resources: Resources | undefined;
  const inTurn = turns();
  for (const method of RESOURCE_METHODS) {
    // Their parameters are checked by what is loaded with the first of them.
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
  /** Resolves when every request that has come so far is answered. */
  settled(): Promise<unknown>;
  /** Follows the log no more, so that it can be closed. A server whose client goes away does so by itself. */
  stop(): Promise<void>;
}

async function load(server: Server, open: () => Promise<Store>): Promise<Resources> {
  const { Resources } = await import("./resources.ts");
  return new Resources(await open(), server);
}
