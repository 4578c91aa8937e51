import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { Access } from "./access.ts";
import { cookiesOf, ownPath, redirectTo, setCookieOf, showPage } from "./browser.ts";
import {
  ConfigError,
  LoginError,
  type LoginErrorCode,
  type Logins,
  loginChecks,
  STALE_LOGIN,
} from "./core.ts";
import { takeIdentity } from "./identity-routes.ts";
import { loginFailedPage } from "./plain-pages.ts";

/** What a browser keeps while its person is at the provider. */
const begun = z.strictObject({ ...loginChecks.shape, to: z.string() });

const PATH = "/login";
const CALLBACK = `${PATH}/callback`;

/** How long a person may take at the provider, in seconds. */
const PATIENCE_S = 600;

/** Logging in at the OpenID provider, and out (docs/people.md). Nobody needs a token or a cookie for it. */
export function loginRoutes(access: Access, logins: Logins): Hono {
  const app = new Hono();
  const name = `${access.cookie.name}_login`;
  const keep = (context: Context, value: string, maxAge: number) =>
    setCookieOf(context, access, name, value, { path: PATH, maxAge });
  app.get(PATH, (context) =>
    orSayWhy(context, async () => {
      const { address, checks } = await logins.begin(callbackOf(context, access).href);
      const to = ownPath(context.req.query("to") ?? "/");
      keep(context, Buffer.from(JSON.stringify({ ...checks, to })).toString("base64url"), PATIENCE_S);
      return context.redirect(address, 303);
    }),
  );
  app.get(CALLBACK, (context) =>
    orSayWhy(context, async () => {
      const state = context.req.query("state");
      const kept = cookiesOf(context.req, name).flatMap(begunIn);
      const found = kept.find((one) => one.state === state);
      if (!found) throw new LoginError("stale_login", STALE_LOGIN);
      keep(context, "", 0);
      const { to, ...checks } = found;
      const token = await logins.finish(callbackOf(context, access), checks);
      return takeIdentity(context, access, token, ownPath(to)) ?? redirectTo(context, "/");
    }),
  );
  app.post("/logout", (context) => {
    for (const value of cookiesOf(context.req, access.cookie.name)) logins.end(value);
    setCookieOf(context, access, access.cookie.name, "", { maxAge: 0 });
    return context.json({});
  });
  return app;
}

function begunIn(cookie: string): z.infer<typeof begun>[] {
  try {
    return [begun.parse(JSON.parse(Buffer.from(cookie, "base64url").toString("utf8")))];
  } catch {
    return [];
  }
}

/** This server's redirect URI, by the name that the browser knows, with what the provider added. */
function callbackOf({ req }: Context, { origins }: Access): URL {
  const host = req.header("host") ?? "";
  // The host was checked to be one of our own.
  const origin = [...origins].find((one) => one.endsWith(`//${host}`)) ?? `http://${host}`;
  const { pathname, search } = new URL(req.url);
  return new URL(`${CALLBACK}${pathname === CALLBACK ? search : ""}`, origin);
}

async function orSayWhy(context: Context, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LoginError) {
      if (error.fault === "unusable") process.stderr.write(`signalbox: ${error.message}\n`);
      return showPage(context, STATUSES[error.code] ?? 502, loginFailedPage(error.message));
    }
    if (!(error instanceof ConfigError)) throw error;
    // It may name files and variables of the server.
    process.stderr.write(`signalbox: ${error.message}\n`);
    return showPage(
      context,
      503,
      loginFailedPage(
        "This server's configuration cannot be used. The terminal where it runs says why: tell whoever runs it.",
      ),
    );
  }
}

/** Where the provider is at fault: 502. */
const STATUSES: Partial<Record<LoginErrorCode, ContentfulStatusCode>> = {
  no_login: 404,
  stale_login: 400,
  login_refused: 403,
  unverified_email: 403,
  unknown_person: 403,
};
