import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Access, isEqualSecret } from "./access.ts";
import { cookiesOf, ownPath, redirectTo, setCookieOf, showPage, visitorByCookie } from "./browser.ts";
import { identityPage } from "./plain-pages.ts";
import type { Visitor } from "./visitor.ts";

const PATH = "/identity";
/** How long somebody may take to answer, in seconds. */
const PATIENCE_S = 600;
const BODY_LIMIT = 10_000;

/**
 * Gives a browser the identity of a token. One that has another identity already is asked first, since any page can lead it to an address
 * with a token of somebody else's, whose acts its own would be from then on.
 *
 * @param to a path of the panel
 * @returns undefined: the token opens nothing
 */
export function takeIdentity(
  context: Context,
  access: Access,
  token: string,
  to: string,
): Response | undefined {
  const next = holderOf(access, token);
  if (!next) return undefined;
  const now = visitorByCookie(context, access)();
  if (now && !(now.name === next.name && (now.by === "address") === (next.by === "address"))) {
    setCookieOf(context, access, waiting(access), token, { path: PATH, maxAge: PATIENCE_S });
    return redirectTo(context, `${PATH}?to=${encodeURIComponent(to)}`);
  }
  setIdentity(context, access, token);
  return redirectTo(context, to);
}

/** Where a person keeps an identity or takes another one. Nobody needs one for it; a page of another site cannot answer. */
export function identityRoutes(access: Access): Hono {
  const app = new Hono();
  const asked = (context: Context) =>
    cookiesOf(context.req, waiting(access)).find((token) => holderOf(access, token) !== undefined);
  app.get(PATH, (context) => {
    const to = ownPath(context.req.query("to") ?? "/");
    const now = visitorByCookie(context, access)();
    const token = asked(context);
    const next = token === undefined ? undefined : holderOf(access, token);
    if (!now || !next) return redirectTo(context, to);
    // Its form's Origin would be null otherwise.
    context.header("Referrer-Policy", "same-origin");
    return showPage(context, 200, identityPage(now, next, { to, act: nameOf(next) }), "'self'");
  });
  app.post(PATH, bodyLimit({ maxSize: BODY_LIMIT, onError: tooLarge }), async (context) => {
    const { act, to } = await context.req.parseBody();
    const token = asked(context);
    const next = token === undefined ? undefined : holderOf(access, token);
    setCookieOf(context, access, waiting(access), "", { path: PATH, maxAge: 0 });
    // Another token may wait by now than the one that the page named.
    if (token !== undefined && next && act === nameOf(next)) setIdentity(context, access, token);
    return redirectTo(context, ownPath(typeof to === "string" ? to : "/"));
  });
  return app;
}

/** What the form says to become somebody. */
function nameOf({ name, by }: Visitor): string {
  return `${by === "address" ? "owner" : "person"} ${name}`;
}

function tooLarge(context: Context): Response {
  return context.text("The form is too large.\n", 413);
}

function waiting({ cookie }: Access): string {
  return `${cookie.name}_next`;
}

function holderOf(access: Access, token: string): Visitor | undefined {
  return isEqualSecret(token, access.token) ? access.owner : access.holder(token);
}

function setIdentity(context: Context, access: Access, token: string): void {
  const value = isEqualSecret(token, access.token) ? access.cookie.value : token;
  setCookieOf(context, access, access.cookie.name, value);
}
