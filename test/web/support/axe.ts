import axe from "axe-core";
import type { Page } from "playwright-core";

/** What a screen reader or a keyboard would stumble over on a page, each with where it is; empty where nothing is wrong. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}
