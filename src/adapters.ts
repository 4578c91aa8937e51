/**
 * The one place where the core names its adapters: the folders of `adapters/`, each loaded when it is wanted. An adapter imports the core by
 * the ports that its own core.ts lists. test/tidy/adapters.test.ts holds both.
 */
export const adapters = {
  /** The panel: its server, which has the page's files. */
  page: () => import("../adapters/page/server/serve.ts"),
} as const;
