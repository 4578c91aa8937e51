import type { Browser, CDPSession, Page } from "playwright-core";

/** A page whose long tasks are counted. */
export interface WatchedPage {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Goes to a path of the panel, and returns once the navigation is committed. */
  goTo(path: string): Promise<void>;
  /**
   * The longest time since the last call, or since the navigation if that was later, in which the main thread could draw
   * nothing: scripts, styles, layout and paint. In milliseconds; 0 if each was at most 50.
   */
  longestTask(): Promise<number>;
}

/** Opens the panel at the address that `serve` prints, in a browser context of its own. */
export async function openWatched(browser: Browser, address: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(COUNT_LONG_TASKS);
  await page.goto(address);
  return {
    page,
    devtools: await context.newCDPSession(page),
    async goTo(path) {
      await page.goto(new URL(path, address).href, { waitUntil: "commit" });
    },
    longestTask: () => page.evaluate<number>("takeLongest()"),
  };
}

const COUNT_LONG_TASKS = `{
  let longest = 0;
  const count = (entries) => { for (const { duration } of entries) longest = Math.max(longest, duration); };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ type: "longtask", buffered: true });
  window.takeLongest = () => {
    count(observer.takeRecords());
    const taken = longest;
    longest = 0;
    return taken;
  };
}`;
