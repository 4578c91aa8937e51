import type { Context, MiddlewareHandler, Next } from "hono";
import type { Access } from "./access.ts";
import { policyWith, redirectTo, showPage, visitorByCookie } from "./browser.ts";
import { isOwnOrigin } from "./core.ts";
import { takeIdentity } from "./identity-routes.ts";
import { loginPage, unknownAddressPage } from "./plain-pages.ts";
import { problem } from "./problem.ts";
import type { Visitor, VisitorVariables } from "./visitor.ts";

/** Admits only our own page, by our own names: checks Host, Origin and Sec-Fetch-Site (docs/panel.md). */
export function ownPage(access: Access): MiddlewareHandler {
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
    if (isForeign(context, host, access)) {
      return problem(context, 403, "foreign_origin", "Only the panel's own page may send this request.");
    }
    return next();
  };
}

/** Admits only the holder of the printed address and people with a token, by token or cookie (docs/panel.md). */
export function guard(access: Access): MiddlewareHandler<VisitorVariables> {
  return async (context, next) => {
    const token = context.req.query("token");
    const taken = token === undefined ? undefined : takeIdentity(context, access, token, ownPathOf(context));
    if (taken) return taken;
    const look = visitorOf(context, access);
    const visitor = look();
    if (!visitor) return unknownAddress(context, access);
    // So that it is not copied with the address.
    if (token !== undefined) return redirectTo(context, ownPathOf(context));
    context.set("visitor", visitor);
    context.set("look", look);
    return admit(context, next, access);
  };
}

/** Who sends a request, each time that it is asked: by the cookie, or by a token in the header. */
function visitorOf(context: Context, access: Access): () => Visitor | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
  return bearer === undefined ? visitorByCookie(context, access) : () => access.holder(bearer);
}

/** Scripts, styles, images and connections only from here. */
const POLICY = policyWith([
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
]);

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
 * True for requests of another site's page or form. Links may lead here from anywhere. A client that
 * sends neither header is not a browser, and needs the cookie anyway.
 *
 * @param host the checked Host; the request line may name another one (RFC 9112 §3.2.2)
 */
function isForeign({ req }: Context, host: string, access: Access): boolean {
  const origin = req.header("origin");
  if (origin !== undefined && !isOwnOrigin(origin, host, access)) return true;
  const site = req.header("sec-fetch-site");
  if ((req.method === "GET" || req.method === "HEAD") && isOpened(req)) return false;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** True for a top-level navigation, not for a frame of another page. */
function isOpened(req: Context["req"]): boolean {
  return (
    req.header("sec-fetch-mode") === "navigate" && (req.header("sec-fetch-dest") ?? "document") === "document"
  );
}

/** What a request asks for, without a token. */
function ownPathOf({ req }: Context): string {
  const { pathname, searchParams } = new URL(req.url);
  searchParams.delete("token");
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  // A path that begins with two slashes would name another host.
  return `${pathname.replace(/^\/+/, "/")}${query}`;
}

/** Also shown by the page. */
const EXPIRED_LINK =
  "This link belongs to an earlier run of the server. Run `signalbox serve` and open the address it prints.";

/** Also shown by the page, which adds how. */
const NOT_LOGGED_IN = "You are not logged in, or your login has ended.";

/** For the page's requests as JSON, for a browser as a page, for other programs as text. */
function unknownAddress(context: Context, { logins }: Access): Response | Promise<Response> {
  const issuer = logins?.issuer();
  const words = issuer === undefined ? EXPIRED_LINK : NOT_LOGGED_IN;
  if (context.req.path.startsWith("/api/")) {
    return problem(context, 401, issuer === undefined ? "unknown_address" : "login_needed", words);
  }
  if (!(context.req.header("accept") ?? "").includes("text/html")) return context.text(`${words}\n`, 401);
  return showPage(
    context,
    401,
    issuer === undefined ? unknownAddressPage : loginPage(issuer, ownPathOf(context)),
  );
}

async function admit(context: Context, next: Next, { readOnly }: Access): Promise<Response | undefined> {
  if (readOnly && context.req.method !== "GET" && context.req.method !== "HEAD") {
    return problem(context, 403, "read_only", "The panel runs with --read-only, so nothing can be changed.");
  }
  await next();
  return undefined;
}
