import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A phone and a screen. */
const SIZES: readonly Size[] = [
  [390, 844],
  [1_440, 900],
];
/** Beside them that screen zoomed to 200 %, and a tablet. */
export const ALL_SIZES: readonly Size[] = [[720, 450], [1_024, 768], ...SIZES];

type Size = readonly [width: number, height: number];

/**
 * What axe finds on a page: in light at each of the sizes, in dark, where only colours differ, on a phone and a screen. The caller waits
 * for the page.
 */
export async function barriersEverywhere(page: Page, options: BarrierOptions = {}): Promise<string[]> {
  const sizes = options.sizes ?? SIZES;
  const barriers: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    for (const [width, height] of colorScheme === "light" ? sizes : SIZES) {
      await page.setViewportSize({ width, height });
      const found = await barriersOn(page, { ...options, isOfColours: colorScheme === "dark" });
      barriers.push(...found.map((barrier) => `${width} × ${height}, ${colorScheme}: ${barrier}`));
    }
  }
  return barriers;
}

interface BarrierOptions {
  readonly sizes?: readonly Size[];
  /** Whether answers are held back, so that something may stay dimmed. */
  readonly isLoading?: boolean;
  /** Whether only the rules are applied that depend on colours. */
  readonly isOfColours?: boolean;
}

/**
 * What a screen reader or a keyboard would stumble over on a page, each with where it is; empty where nothing is wrong. Whoever calls it waits for what
 * is looked at. It is looked at once it has a heading, which some views have only with their answer, and once nothing is dimmed as of an earlier question.
 */
export async function barriersOn(
  page: Page,
  { isLoading = false, isOfColours = false }: BarrierOptions = {},
): Promise<string[]> {
  await page.getByRole("heading", { level: 1, includeHidden: true }).first().waitFor({ state: "attached" });
  // Another size may bring another question.
  await page.evaluate(SETTLE);
  if (!isLoading) await expect.poll(() => page.locator(".is-old, .is-moving").count()).toBe(0);
  await page.evaluate(SETTLE);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // By default axe applies all of WCAG 2.2 A and AA, and of best practices, but the size of targets.
  const rules = isOfColours ? { runOnly: COLOUR_RULES } : { rules: { "target-size": { enabled: true } } };
  // Files need not be loaded again for the rules that run, and there are no frames.
  const given = JSON.stringify({ ...rules, resultTypes: ["violations"], preload: false, iframes: false });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${given})`);
  return violations.flatMap(({ id, nodes }) => {
    const found = nodes.filter(({ html }) => id !== "target-size" || !isSegment(html));
    return found.length === 0 ? [] : [`${id}: ${found.map(({ html }) => html.slice(0, 120)).join(" ")}`];
  });
}

const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

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
