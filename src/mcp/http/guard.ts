import { isOwnOrigin, type Own } from "../../lib/http/listen.ts";
import { refuse } from "./refuse.ts";

/** Refuses what a page of somebody else has a browser send (MCP, Streamable HTTP, Security Warning). */
export function refuseForeign(
  { headers }: Pick<Request, "headers">,
  own: Pick<Own, "hosts" | "origins">,
): Response | undefined {
  const host = headers.get("host") ?? "";
  if (!own.hosts.has(host))
    return refuse(
      421,
      `Unknown host ${JSON.stringify(host.slice(0, 100))}. Use ${[...own.hosts].join(", ")}.`,
    );
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOurs =
    (origin === null || isOwnOrigin(origin, host, own)) &&
    (site === null || site === "same-origin" || site === "none");
  return isOurs ? undefined : refuse(403, "A page of another site sent this request.");
}
