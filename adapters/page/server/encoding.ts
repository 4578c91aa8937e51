import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";

/** How a file is sent, the smallest first. */
const ENCODINGS = ["gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** One file in every encoding. */
export type Encoded = Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;

/** Sends the encoding that the client prefers. */
export function sendEncoded(context: Context, encoded: Encoded, type: string): Response {
  const encoding = acceptedEncoding(context);
  const body = encoded[encoding];
  context.header("Vary", "Accept-Encoding");
  if (encoding !== "identity") context.header("Content-Encoding", encoding);
  // Given here, as Hono drops the body of an answer to HEAD.
  context.header("Content-Length", String(body.length));
  return context.body(body, 200, { "Content-Type": type });
}

/** What `Accept-Encoding` prefers (RFC 9110 §12.5.3); as it is if it accepts nothing that we have. */
function acceptedEncoding({ req }: Context): Encoding {
  const given = parseAccept(req.header("accept-encoding") ?? "");
  const qualityOf = (name: string) =>
    (given.find(({ type }) => type.toLowerCase() === name) ?? given.find(({ type }) => type === "*"))?.q ?? 0;
  const accepted = ENCODINGS.filter((name) => qualityOf(name) > 0);
  return accepted.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0] ?? "identity";
}
