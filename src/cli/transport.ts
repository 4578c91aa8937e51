import { z } from "zod";
import { inOurWords } from "../events/wrong-values.ts";
import { ToldError } from "../lib/told-error.ts";
import { servedAt } from "../mcp/http/server-file.ts";

/** How a client reaches our server. */
export const transportFields = {
  transport: z.enum(["stdio", "http"]).default("stdio"),
  url: z
    .string()
    .transform(endpointAt)
    .pipe(z.url({ protocol: /^https?$/, error: "must be an address such as http://127.0.0.1:4100/mcp" }))
    .optional(),
};

export const transportOptions = {
  transport: [
    "--transport <kind>",
    "how its client reaches the server: it starts one (stdio), or asks `signalbox serve` or `signalbox mcp --http` with a token (http)",
  ],
  url: [
    "--url <url>",
    "with --transport http: the server's address as the client reaches it (default: that of the server that runs here)",
  ],
} as const;

/** What the options say of it. */
export interface Transport {
  readonly transport?: "stdio" | "http" | undefined;
  readonly url?: string | undefined;
}

/** The address that `--url` names. @throws BadUrlError */
export function parseUrl(text: string): string {
  const parsed = transportFields.url.safeParse(text, inOurWords);
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  throw new BadUrlError(
    "bad_url",
    `--url is ${JSON.stringify(text)}; it ${parsed.error?.issues[0]?.message}.`,
  );
}

/** @returns the address of `/mcp` for a client over HTTP; undefined over stdio; @throws NoServerError */
export function urlFor({ transport = "stdio", url }: Transport, readModelPath: string): string | undefined {
  if (transport === "stdio") return undefined;
  const found = url ?? servedAt(readModelPath);
  if (found !== undefined) return found;
  throw new NoServerError(
    "no_server",
    "No server of this project runs on this machine. Start `signalbox serve` or `signalbox mcp --http` first, or name its address with --url.",
  );
}

/** No address of a server. */
class BadUrlError extends ToldError<"bad_url"> {
  override readonly name = "BadUrlError";
  readonly fault = "usage";
}

/** Nobody answers over HTTP. */
class NoServerError extends ToldError<"no_server"> {
  override readonly name = "NoServerError";
  readonly fault = "refused";
}

/** The server answers nowhere but at `/mcp`. */
function endpointAt(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.pathname === "/") url.pathname = "/mcp";
  return url?.href ?? text;
}

/** What a client needs to reach our server over HTTP. */
export function reachLines({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string;
}): readonly string[] {
  return [
    `  URL: ${url}`,
    `  Authorization: Bearer ${token}`,
    "The token is shown this once, and ends with the session.",
  ];
}
