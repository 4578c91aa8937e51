import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { builtPath } from "../../src/lib/package-root.ts";
import { cookieOf } from "./support/ask.ts";
import { freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

const assets = readdirSync(builtPath("web/assets")).flatMap(
  (name) => /^(.+\.(?:js|css))\.gz$/.exec(name)?.[1] ?? [],
);

interface Loaded {
  readonly name: string;
  readonly encodedBodySize: number;
  /** Headers included; 0 for a file that the browser has kept. */
  readonly transferSize: number;
}

/** The page's own files as the browser loaded them, in bytes on the network. */
async function loadedBy(page: Page): Promise<Loaded[]> {
  const loaded = await page.evaluate<Loaded[]>(
    '["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map((one) => one.toJSON())',
  );
  return loaded.filter(({ name }) => !new URL(name).pathname.startsWith("/api/"));
}

const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);

test("the first load takes less than 80 kB on the network, headers included, and the next one no file", {
  tags: "chromium",
}, async () => {
  const { panel, origin } = await freshPanel();
  const { page } = await openPage(panel);
  await isLive(page);
  const first = await loadedBy(page);
  expect(first.length).toBeGreaterThan(2);
  expect(sum(first.map(({ transferSize }) => transferSize))).toBeLessThan(80_000);
  expect(sum(first.map(({ encodedBodySize }) => encodedBodySize))).toBeGreaterThan(30_000);
  await page.goto(`${origin}/board`);
  await isLive(page);
  const next = (await loadedBy(page)).filter(({ name }) => name.includes("/assets/"));
  expect(next.length).toBeGreaterThan(1);
  expect(next.filter(({ transferSize }) => transferSize > 0)).toEqual([]);
});

test("all files of the page take less than 170 kB as gzip", async () => {
  const { panel } = await freshPanel();
  const headers = { cookie: await cookieOf(panel), "accept-encoding": "gzip" };
  const sizes = await Promise.all(
    assets.map(
      (name) =>
        new Promise<number>((resolve, reject) => {
          const sent = request({ host: "127.0.0.1", port: panel.port, path: `/assets/${name}`, headers });
          sent.on("response", async (answer) => resolve(Buffer.concat(await answer.toArray()).length));
          sent.on("error", reject).end();
        }),
    ),
  );
  expect(sizes.length).toBeGreaterThan(3);
  expect(sum(sizes)).toBeLessThan(170_000);
});

test("the page evaluates no text as code, and contains none of the server's schemas", () => {
  expect(assets.length).toBeGreaterThan(3);
  for (const name of assets) {
    const text = gunzipSync(readFileSync(builtPath(`web/assets/${name}.gz`))).toString();
    expect(text).not.toMatch(/new Function|\beval\(|ZodType/);
  }
});
