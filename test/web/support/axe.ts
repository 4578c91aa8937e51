import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * What a screen reader or a keyboard would stumble over on a page, each with where it is; empty where nothing is wrong. Whoever calls it waits for what
 * is looked at. It is looked at once it has a heading, which some views have only with their answer, and once nothing is dimmed as of an earlier question.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.getByRole("heading", { level: 1, includeHidden: true }).first().waitFor({ state: "attached" });
  await expect.poll(() => page.locator(".is-old, .is-moving").count()).toBe(0);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}
