import type { Page } from "playwright-core";

/**
 * Looks at each frame that the page draws from now on.
 *
 * @param isWrong an expression of the page's own
 * @returns tells of how many frames it was true
 */
export async function watchFrames(
  page: Page,
  isWrong: string,
): Promise<() => Promise<{ readonly wrong: number; readonly frames: number }>> {
  await page.evaluate(`{
    const seen = { wrong: 0, frames: 0 };
    window.seenFrames = seen;
    const look = () => {
      seen.frames++;
      if (${isWrong}) seen.wrong++;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }`);
  return () => page.evaluate("window.seenFrames");
}
