import { z } from "zod";
import { ToldError } from "../../lib/told-error.ts";
import { servedAt } from "../../mcp/http/server-file.ts";

/** How a client reaches our server. */
export const transportFields = {
  transport: z.enum(["stdio", "http"]).default("stdio"),
  url: z.string().optional(),
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

/** @returns the address of `/mcp` for a client over HTTP; undefined over stdio; @throws NoAddressError */
export function urlFor({ transport = "stdio", url }: Transport, readModelPath: string): string | undefined {
  if (transport === "stdio") return undefined;
  if (url !== undefined) return endpointAt(url);
  const found = servedAt(readModelPath);
  if (found !== undefined) return found;
  throw new NoAddressError(
    "no_server",
    "No server of this project runs on this machine. Start `signalbox serve` or `signalbox mcp --http` first, or name its address with --url.",
  );
}

/** The server answers nowhere but at `/mcp`. */
function endpointAt(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new NoAddressError(
      "bad_address",
      `--url is ${JSON.stringify(text)}. It must be an address such as http://127.0.0.1:4100/mcp.`,
    );
  if (url.pathname === "/") url.pathname = "/mcp";
  return url.href;
}

/** It is not known where a client can ask. */
class NoAddressError extends ToldError<"no_server" | "bad_address"> {
  override readonly name = "NoAddressError";

  get fault() {
    return this.code === "no_server" ? "refused" : "usage";
  }
}

/** What a client needs to reach our server over HTTP. */
export interface Reach {
  readonly url: string;
  readonly token: string;
  /** Whoever removes it ends the token. */
  readonly token_file: string;
}

/** @param task of the session, with which the token ends; null: it has none */
export function reachLines({ url, token, token_file }: Reach, task: number | null): readonly string[] {
  return [
    `  URL: ${url}`,
    `  Authorization: Bearer ${token}`,
    `The token is shown this once. It ${task === null ? "does not end by itself" : "ends with the session"}: remove ${token_file} to end it${task === null ? "" : " before"}.`,
  ];
}
