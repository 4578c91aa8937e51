import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Visitor } from "./visitor.ts";

/** Colours of the system, which follow the scheme of the browser. */
const STYLE = `
:root { color-scheme: light dark; }
body {
  display: grid;
  place-content: center;
  min-height: 100vh;
  margin: 0;
  padding: 24px;
  box-sizing: border-box;
  font: 16px / 1.5 system-ui, sans-serif;
}
main { max-width: 34rem; }
h1 { margin: 0 0 12px; font-size: 20px; }
p { margin: 0 0 12px; }
pre {
  margin: 0 0 12px;
  padding: 12px 16px;
  border-radius: 6px;
  background: color-mix(in srgb, CanvasText 8%, Canvas);
  font: 13px / 1.5 ui-monospace, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}`;

/** The source of its style for the content security policy. */
export const PAGE_STYLE = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;

export type PlainPage = ReturnType<typeof html>;

/** A page of text. What is inserted into `html` is escaped. */
function plainPage(title: string, body: PlainPage): PlainPage {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · signalbox</title>
    <link rel="icon" href="data:," />
    <style>${raw(STYLE)}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
}

/** What a browser is shown without the token, or with one of an earlier run. */
export const unknownAddressPage = plainPage(
  "This link does not open the panel",
  html`<p>It has no token, or it belongs to an earlier run of the server. Run this in the project's folder:</p>
      <pre><code>signalbox serve</code></pre>
      <p>Then open the address it prints. If the server is running already, its terminal shows the address.</p>`,
);

/** The same where people log in. @param to the path to which a person comes back */
export function loginPage(issuer: string, to: string): PlainPage {
  return plainPage(
    "Log in to open the panel",
    html`<p><a href="/login?to=${encodeURIComponent(to)}">Log in at ${new URL(issuer).host}</a></p>
      <p>Or open the address that <code>signalbox serve</code> printed, or one with a token of yours.</p>`,
  );
}

/** Whose acts a browser's are from now on. @param form the path to which it comes back, and what it sends to become the other one */
export function identityPage(
  now: Visitor,
  next: Visitor,
  { to, act }: { readonly to: string; readonly act: string },
): PlainPage {
  const role = (one: Visitor) => html`<strong>${one.name}</strong> (${one.role})`;
  return plainPage(
    "Keep your identity?",
    html`<p>You are ${role(now)} here. The address that you opened has a token of ${role(next)}: with it, the log names ${next.name} for what you do.</p>
      <form method="post" action="/identity">
        <input type="hidden" name="to" value="${to}" />
        <p><button name="act" value="keep">Stay ${now.name}</button> <button name="act" value="${act}">Become ${next.name}</button></p>
      </form>
      <p>If you did not ask for this, stay: somebody may have sent you here.</p>`,
  );
}

/** Why a person was not logged in. */
export function loginFailedPage(message: string): PlainPage {
  return plainPage(
    "You were not logged in",
    html`<p>${message}</p>
      <p><a href="/login">Log in again</a></p>`,
  );
}
