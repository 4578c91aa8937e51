import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Forms } from "../answers/forms.ts";
import type { Caller } from "../caller.ts";
import { RESOURCE_METHODS } from "../resources/methods.ts";
import type { Watcher } from "../resources/serve.ts";
import { CheckedServer } from "./checked-server.ts";
import { CAPABILITIES, SERVER_INFO } from "./identity.ts";
import type { Session } from "./served-session.ts";

/** The SDK's server for one connection, which answers from a session. */
export function sdkServer(session: Session): CheckedServer {
  const server = new CheckedServer(SERVER_INFO, { capabilities: CAPABILITIES });
  const told = (sent: Promise<void>) => void sent.catch(session.report);
  const watcher: Watcher = {
    client: {
      updated: (uri) => told(server.sendResourceUpdated({ uri })),
      listChanged: () => told(server.sendResourceListChanged()),
      failed: session.report,
    },
  };
  const stopTelling = session.onToolsChanged(() => {
    // A client of the other era asks for this by a request.
    if (server.getClientVersion()) told(server.sendToolListChanged());
  });
  const formsOf = formsAt(server);
  for (const method of ["tools/list", "tools/call", ...RESOURCE_METHODS] as const) {
    server.setHandler(method, ({ params }, extra) => {
      const caller: Caller = {
        signal: extra.signal,
        meta: extra._meta,
        progress: (progress) =>
          extra.sendNotification({ method: "notifications/progress", params: { ...progress } }),
        forms: formsOf(extra),
        watcher,
      };
      return session.answer(method, params, caller);
    });
  }
  server.oninitialized = () => session.clientIsThere();
  server.onerror = session.report;
  server.onclose = () => {
    stopTelling();
    void session.resources.stop(watcher);
  };
  return server;
}

/** How a client shows forms, if it said so when it introduced itself. */
function formsAt(server: CheckedServer) {
  let isFirst = true;
  return ({ sendRequest }: RequestHandlerExtra<ServerRequest, ServerNotification>): Forms | undefined => {
    if (!server.getClientCapabilities()?.elicitation?.form) return undefined;
    return {
      sendRequest(...request) {
        // Clients made with the SDK ignore a cancellation of request 0, a server's first: with this one ahead no form
        // has that id (modelcontextprotocol/typescript-sdk issue 2283).
        if (isFirst) void server.ping().catch(() => {});
        isFirst = false;
        return sendRequest(...request);
      },
    };
  };
}
