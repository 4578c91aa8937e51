import type { Context, MiddlewareHandler, Next } from "hono";
import { setCookie } from "hono/cookie";
import { type Access, isSame } from "./access.ts";
import { problem } from "./problem.ts";

/**
 * Lets nobody in but the person to whom the address was printed, and no page but our own: Host, token or cookie, then for
 * what changes something Origin and Sec-Fetch-Site (issue 8, item 9).
 */
export function guard(access: Access): MiddlewareHandler {
  return async (context, next) => {
    setSafeHeaders(context);
    const host = context.req.header("host") ?? "";
    if (!access.hosts.has(host)) {
      return problem(
        context,
        421,
        "unknown_host",
        `Unknown host. Open this server as ${[...access.hosts].join(", ")}.`,
      );
    }
    if (isForeign(context, host)) {
      return problem(context, 403, "foreign_origin", "Only the panel's own page may send this request.");
    }
    const token = context.req.query("token");
    if (token !== undefined && isSame(token, access.token)) return giveCookie(context, access);
    if (!hasCookie(context, access)) return unknownAddress(context);
    return token === undefined ? enter(context, next, access) : withoutToken(context);
  };
}

/** No script, style, picture or connection but from here, and no text that becomes markup (panel.md, section 4). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function setSafeHeaders(context: Context): void {
  context.header("Content-Security-Policy", POLICY);
  context.header("Referrer-Policy", "no-referrer");
  context.header("X-Content-Type-Options", "nosniff");
  context.header("X-Frame-Options", "DENY");
  context.header("Cross-Origin-Resource-Policy", "same-origin");
  context.header("Cross-Origin-Opener-Policy", "same-origin");
  context.header("Cache-Control", "no-store");
}

/**
 * True for what another site's page or form sends. A link to a page of ours may be followed from anywhere; whoever sends
 * neither of the headers is no browser, and needs the cookie all the same.
 *
 * @param host the Host that was found to be ours; the request line may name any other (RFC 9112 §3.2.2)
 */
function isForeign({ req }: Context, host: string): boolean {
  const origin = req.header("origin");
  if (origin !== undefined && origin !== `http://${host}`) return true;
  const site = req.header("sec-fetch-site");
  if ((req.method === "GET" || req.method === "HEAD") && isOpened(req)) return false;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** True where a person goes to the address; a frame of another page goes there, too. */
function isOpened(req: Context["req"]): boolean {
  return (
    req.header("sec-fetch-mode") === "navigate" && (req.header("sec-fetch-dest") ?? "document") === "document"
  );
}

/** Of several cookies of the name one must be right: a page of another port can set one for a path of ours, which comes first. */
function hasCookie({ req }: Context, { cookie }: Access): boolean {
  const given = (req.header("cookie") ?? "").split(";").map((one) => one.trim());
  const expected = `${cookie.name}=${cookie.value}`;
  return given.some((one) => isSame(one, expected));
}

function giveCookie(context: Context, { cookie }: Access): Response {
  setCookie(context, cookie.name, cookie.value, { path: "/", httpOnly: true, sameSite: "Lax" });
  return withoutToken(context);
}

/** The token does not stay in the address, from where it could be copied. */
function withoutToken(context: Context): Response {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.delete("token");
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  // A path of two slashes would name another host.
  return context.redirect(`${pathname.replace(/^\/+/, "/")}${query}`, 303);
}

/** The page shows these words, too. */
const UNKNOWN =
  "This link belongs to an earlier run of the server. Run `signalbox serve` and open the address it prints.";

function unknownAddress(context: Context): Response {
  return context.req.path.startsWith("/api/")
    ? problem(context, 401, "unknown_address", UNKNOWN)
    : context.text(`${UNKNOWN}\n`, 401);
}

async function enter(context: Context, next: Next, { readOnly }: Access): Promise<Response | undefined> {
  if (readOnly && context.req.method !== "GET" && context.req.method !== "HEAD") {
    return problem(context, 403, "read_only", "The panel runs with --read-only, so nothing can be changed.");
  }
  await next();
  return undefined;
}
