import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll } from "vitest";
import type { Panel } from "../../../adapters/page/server/serve.ts";
import { findChromium } from "../../support/needs.ts";
import { usePanels } from "./panel.ts";

const executablePath = findChromium();

/** A name that the browser takes for another machine's: its pages are no secure origin. */
export const FAR_NAME = "panel.test";

/** Started once in a process, and ended with it; each test has contexts of its own. */
let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

/** Call it once at the top of a file whose tests use a browser; tag these tests `chromium`. */
export function useBrowser(): void {
  usePanels();
  beforeAll(async () => {
    // Without it the file's other tests run; openPage says what is missing.
    if (executablePath === undefined) return;
    browser ??= await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        `--host-resolver-rules=MAP ${FAR_NAME} 127.0.0.1`,
      ],
    });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      // What a test holds up may still be on its way when the test is over.
      for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    }
  });
}

/** What a page did that no page of ours may do. */
export interface Seen {
  /** Exceptions, errors on its console, violations of the content-security policy. */
  readonly faults: string[];
  /** Requests to another host. */
  readonly strangers: string[];
}

/** A page of a browser of its own, with its own cookies: at the address that `serve` prints, or at a path with the cookie of that. */
export async function openPage(
  panel: Panel,
  path = "/",
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; context: BrowserContext; seen: Seen }> {
  if (executablePath === undefined)
    throw new Error("This test needs chromium: tag it so (test/support/needs.ts).");
  if (!browser) throw new Error("Call useBrowser() at the top of the file.");
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  contexts.push(context);
  const page = await context.newPage();
  const seen = watchPage(page, panel);
  const address = new URL(panel.address);
  if (path === "/") await page.goto(address.href);
  else {
    // Only the browser knows where the far name is; elsewhere no page is loaded just for its cookie.
    if (address.hostname === FAR_NAME) await page.goto(address.href);
    else await context.request.get(address.href, { maxRedirects: 0 });
    await page.goto(new URL(path, address).href);
  }
  return { page, context, seen };
}

/** Another page of the same browser. */
export async function anotherPage(context: BrowserContext, panel: Panel, path = "/") {
  const page = await context.newPage();
  const seen = watchPage(page, panel);
  await page.goto(new URL(path, panel.address).href);
  return { page, seen };
}

/**
 * As `page.route` of a page that is open. For some milliseconds after it was told to, Chromium lets requests of such a page pass unseen:
 * one of our own is sent until it is seen.
 */
export async function routeOpened(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  let isSeen = false;
  page.once("request", () => {
    isSeen = true;
  });
  while (!isSeen) await page.evaluate("fetch(location.pathname).then((answer) => answer.text())");
}

/** Until then a page does not know where the log ends. */
export async function isLive(page: Page): Promise<void> {
  await page.getByText(/^live · last event #/).waitFor();
}

function watchPage(page: Page, panel: Panel): Seen {
  const seen: Seen = { faults: [], strangers: [] };
  page.on("pageerror", (error) => seen.faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") seen.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== "data:" && host !== new URL(panel.address).host) seen.strangers.push(request.url());
  });
  return seen;
}

export { freshPanel } from "./panel.ts";
