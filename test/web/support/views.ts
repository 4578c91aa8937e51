import type { Page } from "playwright-core";

/** Every view with something in it: how its address begins, and what stands there once its answer has come. */
export const views = [
  { name: "board", path: "/board", shown: ".board-column article" },
  { name: "inbox", path: "/inbox", shown: ".inbox-row, .inbox h2" },
  { name: "sessions", path: "/sessions", shown: ".session-link" },
  { name: "timeline", path: "/tasks/", shown: "main article" },
  { name: "learnings", path: "/learnings", shown: ".learning-text" },
  { name: "charts", path: "/charts", shown: ".chart canvas" },
  { name: "log", path: "/log", shown: ".log-row .mono:not(:empty)" },
] as const;

/**
 * Goes to a view, or to an address in it, and waits until it shows something.
 *
 * @param path of the view, such as `/board?task=3`
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  const view = views.find((one) => path.startsWith(one.path));
  if (!view) throw new Error(`${path} is no view.`);
  await page.locator(view.shown).filter({ visible: true }).first().waitFor();
  await page.getByText(/live · last event #/).waitFor({ state: "attached" });
}
