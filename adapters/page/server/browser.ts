import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Access, isEqualSecret } from "./access.ts";
import { PAGE_STYLE, type PlainPage } from "./plain-pages.ts";
import type { Visitor } from "./visitor.ts";

/** Who sends a browser's request, each time that it is asked. */
export function visitorByCookie({ req }: Context, access: Access): () => Visitor | undefined {
  // Any cookie of that name counts: a page of another port can set one for our paths.
  const values = cookiesOf(req, access.cookie.name);
  if (values.some((value) => isEqualSecret(value, access.cookie.value))) return () => access.owner;
  const token = values.find((value) => access.holder(value));
  return () => (token === undefined ? undefined : access.holder(token));
}

/** All values of a cookie: a page of another port can set one for our paths. */
export function cookiesOf(req: Context["req"], name: string): string[] {
  const given = (req.header("cookie") ?? "").split(";").map((one) => one.trim());
  return given.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
}

/** Sets a cookie that no script reads, and that no request of another site's page or form brings along. */
export function setCookieOf(
  context: Context,
  { origins }: Access,
  name: string,
  value: string,
  options: { readonly path?: string; readonly maxAge?: number } = {},
): void {
  const secure = origins.has(`https://${context.req.header("host")}`);
  setCookie(context, name, value, { path: "/", httpOnly: true, sameSite: "Lax", secure, ...options });
}

/** @param to a path of the panel */
export function redirectTo(context: Context, to: string): Response {
  return context.redirect(to, 303);
}

/** Longer paths lead to the first view: a cookie has no room for them. */
const LONGEST_PATH = 1_500;

/** A path of the panel: of another host's address its path alone, of anything else that of the first view. */
export function ownPath(to: string): string {
  if (to.length > LONGEST_PATH || !URL.canParse(to, "http://panel.invalid")) return "/";
  const { pathname, search } = new URL(to, "http://panel.invalid");
  return `/${pathname.replace(/^\/+/, "")}${search}`;
}

/** Shows a page of text instead of the panel. @param forms where its forms lead, as a source of the policy; absent: it has none */
export function showPage(
  context: Context,
  status: ContentfulStatusCode,
  page: PlainPage,
  forms?: string,
): Response | Promise<Response> {
  context.header(
    "Content-Security-Policy",
    policyWith([`style-src '${PAGE_STYLE}'`, "img-src data:"], forms),
  );
  return context.html(page, status);
}

/** A policy by which nothing else is loaded, sent or framed, and no text becomes markup (docs/panel.md). */
export function policyWith(sources: readonly string[], forms = "'none'"): string {
  return [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
