import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The sizes at which axe looks: a phone, a screen of 1,440 × 900 zoomed to 200 %, a tablet, and that screen. */
const SIZES = [
  [390, 844],
  [720, 450],
  [1_024, 768],
  [1_440, 900],
] as const;

/** What axe finds on a page at each size, in light and dark. Whoever calls it waits for what is looked at. */
export async function barriersEverywhere(page: Page, options: BarrierOptions = {}): Promise<string[]> {
  const barriers: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const found = await barriersOn(page, options);
      barriers.push(...found.map((barrier) => `${width} × ${height}, ${colorScheme}: ${barrier}`));
    }
  }
  return barriers;
}

interface BarrierOptions {
  /** Whether answers are held back: something may be dimmed, and some views have no heading yet. */
  readonly isLoading?: boolean;
}

/**
 * What a screen reader or a keyboard would stumble over on a page, each with where it is; empty where nothing is wrong. Whoever calls it waits for what
 * is looked at. It is looked at once it has a heading, which some views have only with their answer, and once nothing is dimmed as of an earlier question.
 */
export async function barriersOn(page: Page, { isLoading = false }: BarrierOptions = {}): Promise<string[]> {
  if (!isLoading) {
    await page.getByRole("heading", { level: 1, includeHidden: true }).first().waitFor({ state: "attached" });
    await expect.poll(() => page.locator(".is-old, .is-moving").count()).toBe(0);
  }
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  await page.evaluate(SETTLE);
  // All that is not experimental: WCAG 2.2 A and AA, and best practices. The size of targets is off by default.
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] })`,
  );
  return violations.flatMap(({ id, nodes }) => {
    const found = nodes.filter(({ html }) => id !== "target-size" || !isSegment(html));
    return found.length === 0 ? [] : [`${id}: ${found.map(({ html }) => html.slice(0, 120)).join(" ")}`];
  });
}

/** What follows another size or question is drawn, and what fades has faded. */
const SETTLE = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => {
  const fading = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  return Promise.allSettled(fading.map(({ finished }) => finished)).then(() => undefined);
})`;

/**
 * A phase in the bar of a session is as long as the phase was, which may be two pixels; the list of the phases beside the
 * session has the same links at full size (WCAG 2.5.8, "equivalent" and "essential").
 */
function isSegment(html: string): boolean {
  return html.startsWith('<a class="segment ');
}
