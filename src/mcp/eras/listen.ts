import type { JSONRPCRequest, Result } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { checkRequest } from "../check-request.ts";
import { INVALID_REQUEST, RequestError } from "../request-error.ts";
import type { Watcher } from "../resources/serve.ts";
import type { Channel } from "./channel.ts";
import { SUBSCRIPTION_KEY } from "./envelope.ts";
import type { Session } from "./served-session.ts";

/** The most streams of a session: each follows the log. */
const STREAMS = 100;

/**
 * Tells a client of changes, of the kinds that it asks for, until it cancels its request or is left
 * (MCP 2026-07-28, Subscriptions). Resources that do not exist are left out.
 */
export async function listen(session: Session, request: JSONRPCRequest, channel: Channel): Promise<Result> {
  const { notifications } = checkRequest(request.method, listening, request).params;
  if (session.streams.size >= STREAMS) {
    throw new RequestError(INVALID_REQUEST, `There are already ${STREAMS} streams, the maximum; cancel one.`);
  }
  return session.streams.add(stream(session, notifications, request, channel));
}

async function stream(
  session: Session,
  { toolsListChanged, resourcesListChanged: list = false, resourceSubscriptions: uris = [] }: Wanted,
  { id }: JSONRPCRequest,
  { signal, notify }: Channel,
): Promise<Result> {
  const _meta = { [SUBSCRIPTION_KEY]: id };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  // The acknowledgement comes first.
  const tell = (method: string, params?: object) =>
    void begun.then(() => notify({ method, params: { ...params, _meta } })).catch(session.report);
  const watcher: Watcher = {
    client: {
      updated: (uri) => tell("notifications/resources/updated", { uri }),
      listChanged: () => tell("notifications/resources/list_changed"),
      failed: session.report,
    },
  };
  const stopTools = toolsListChanged
    ? session.onToolsChanged(() => tell("notifications/tools/list_changed"))
    : undefined;
  try {
    const watched = list || uris.length > 0 ? await session.resources.watch(watcher, { list, uris }) : [];
    const notifications = {
      ...(toolsListChanged && { toolsListChanged }),
      ...(list && { resourcesListChanged: true }),
      ...(watched.length > 0 && { resourceSubscriptions: watched }),
    };
    await notify({ method: "notifications/subscriptions/acknowledged", params: { notifications, _meta } });
    begin();
    await Promise.race([session.left, aborted(signal)]);
    return { _meta };
  } finally {
    stopTools?.();
    void session.resources.stop(watcher);
  }
}

type Wanted = z.output<typeof listening>["params"]["notifications"];

const listening = z.looseObject({
  params: z.looseObject({
    notifications: z.looseObject({
      toolsListChanged: z.boolean().optional(),
      promptsListChanged: z.boolean().optional(),
      resourcesListChanged: z.boolean().optional(),
      resourceSubscriptions: z.array(z.string()).optional(),
    }),
  }),
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
