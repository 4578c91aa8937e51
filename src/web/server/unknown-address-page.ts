import { createHash } from "node:crypto";

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

/** What a browser is shown without the token, or with one of an earlier run. It quotes nothing of the request. */
export const unknownAddressPage = {
  html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>This link does not open the panel · signalbox</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>This link does not open the panel</h1>
      <p>It has no token, or it belongs to an earlier run of the server. Run this in the project's folder:</p>
      <pre><code>signalbox serve</code></pre>
      <p>Then open the address it prints. If the server is running already, its terminal shows the address.</p>
    </main>
  </body>
</html>
`,
  /** The source of its style for the content security policy. */
  style: `sha256-${createHash("sha256").update(STYLE).digest("base64")}`,
} as const;
