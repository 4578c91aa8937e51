import { type Browser, type BrowserContext, launch, type Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Panel } from "../../../adapters/page/server/serve.ts";
import { findFirefox } from "../../support/needs.ts";
import { usePanels } from "./panel.ts";

const executablePath = findFirefox();

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

/** Call it once at the top of a file whose tests use Firefox, which listens on loopback alone; tag these tests `firefox`. */
export function useFirefox(): void {
  usePanels();
  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await launch({
      browser: "firefox",
      executablePath,
      // As for the tests in Chromium.
      extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
    });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

/** A page with cookies of its own, opened at the address that `serve` prints, then at a path; `faults` are errors that it reports. */
export async function openInFirefox(panel: Panel, path: string): Promise<{ page: Page; faults: string[] }> {
  if (!browser) throw new Error("Call useFirefox() at the top of the file, and tag its tests `firefox`.");
  const context = await browser.createBrowserContext();
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.setViewport({ width: 1_280, height: 800 });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto(panel.address);
  await page.goto(new URL(path, panel.address).href);
  return { page, faults };
}
