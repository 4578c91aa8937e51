import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
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

/** What is read once it has been the same for half a second: a scroll, for one, goes on for a while. */
export async function atRest<Value>(read: () => Promise<Value>): Promise<Value> {
  let last = await read();
  for (let same = 0; same < 5; ) {
    await pause(100);
    const now = await read();
    same = isDeepStrictEqual(now, last) ? same + 1 : 0;
    last = now;
  }
  return last;
}
