import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * What a screen reader or a keyboard would stumble over on a page, each with where it is; empty where nothing is wrong. Looked for once
 * all is there: until then a view has no heading, and what is shown of an earlier question is dimmed.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.getByRole("heading", { level: 1, includeHidden: true }).first().waitFor({ state: "attached" });
  await expect.poll(() => page.locator(".is-old, .is-moving").count()).toBe(0);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}
