import { readdirSync } from "node:fs";
import { defineConfig } from "vitepress";

/** The docs as a site, made of the files that `build.mjs` copies. It lies in `site/.vitepress/dist`. */
export default defineConfig({
  title: "signalbox",
  description: "An event-sourced signal log for coding agents",
  srcDir: "pages",
  rewrites: { "README.md": "index.md" },
  // Links to code lead to the repository, which the site does not contain. test/docs/links.test.ts checks all links.
  ignoreDeadLinks: true,
  // In the docs `<name>` and `{{ }}` are text.
  markdown: { html: true },
  vue: { template: { compilerOptions: { delimiters: ["{%%", "%%}"] } } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      {
        text: "Start",
        items: [
          { text: "signalbox", link: "/" },
          ...pages(["install"]),
          { text: "Your first loop", link: "/docs/tutorial" },
          { text: "Concepts", link: "/docs/vocabulary" },
          { text: "A library fixed overnight", link: "/examples/overnight/README" },
          { text: "Compared", link: "/docs/compare" },
        ],
      },
      { text: "Guides", items: pages(["operating", "clients", "sandbox", "gates", "panel", "notices", "people", "trackers", "docker", "fleet", "platforms", "history", "policies", "trust", "exchange", "metrics"]) },
      { text: "Reference", items: pages(["cli", "tools", "events", "read-model", "resources", "config", "rules", "drivers", "http", "typescript"]) },
      {
        text: "TypeScript",
        items: ["signalbox", "signalbox/log", "signalbox/projections", "signalbox/testing"].map((text) => ({
          text,
          link: `/reference/${text}`,
        })),
      },
      {
        text: "Inside",
        items: [
          ...pages(["architecture"]),
          { text: "Promises", link: "/test/promises" },
          { text: "Decisions", collapsed: true, items: decisions() },
        ],
      },
    ],
  },
});

function pages(names: readonly string[]) {
  return names.map((name) => ({ text: name.replace("-", " "), link: `/docs/${name}` }));
}

function decisions() {
  return readdirSync(new URL("../../docs/decisions/", import.meta.url))
    .sort()
    .map((file) => file.replace(".md", ""))
    .map((name) => ({ text: name.replaceAll("-", " "), link: `/docs/decisions/${name}` }));
}
