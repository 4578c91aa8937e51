import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The panel's page; scripts/build.mjs says where it goes. */
export default defineConfig({
  root: fileURLToPath(new URL("adapters/page/page", import.meta.url)),
  logLevel: "warn",
  plugins: [
    {
      // Vite's own one, over half a kilobyte, also loads what an imported file needs beforehand; here that is nothing, as there is one file of styles.
      name: "import-as-it-is",
      enforce: "pre",
      load: (id) =>
        id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
    },
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // Under the content-security policy no file may be inlined as data but a picture.
    assetsInlineLimit: 0,
    // One file packs better than one of each view: first load has room for it (test/web/size.test.ts).
    cssCodeSplit: false,
    modulePreload: false,
  },
});
