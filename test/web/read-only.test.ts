// @module-tag chromium
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { givenEveryKind } from "./support/given-inbox.ts";

useBrowser();

const REASON = "The panel runs with --read-only, so nothing can be changed.";

/** A view of a panel that only shows, of a project in which everything waits that can. */
async function openShown(path: string) {
  const { project, panel } = await freshPanel({ project: await givenEveryKind(), readOnly: true });
  const { page, seen } = await openPage(panel, path);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  return { project, page, seen, sent };
}

/** Waits until these buttons, of which there is at least one, cannot be pressed and say why. */
async function areDisabled(buttons: Locator): Promise<void> {
  await buttons.first().waitFor();
  await expect
    .poll(() =>
      buttons.evaluateAll((all) =>
        all.map((button) =>
          [button.getAttribute("aria-disabled"), button.getAttribute("aria-description")].join(" "),
        ),
      ),
    )
    .toEqual(Array.from({ length: await buttons.count() }, () => `true ${REASON}`));
}

async function menuSaysWhy(page: Page, task: number): Promise<void> {
  await page
    .getByRole("button", { name: `Set status of #${task}` })
    .first()
    .click();
  const status = page.getByRole("menuitem", { name: /^Skipped/ });
  await expect.poll(() => status.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("dialog").getByText(REASON).waitFor();
  await page.keyboard.press("Enter");
}

test("with --read-only the board lets no status be set and no proposal be decided on", async () => {
  const { project, page, seen, sent } = await openShown("/board");
  const head = await project.log.head();
  await areDisabled(page.getByRole("button", { name: /^(Approve|Reject|Change) #/ }));
  await page.getByRole("link", { name: "Import from CSV" }).focus();
  for (const key of ["a", "x", "e"]) await page.keyboard.press(key);
  await menuSaysWhy(page, 1);
  expect(sent).toEqual([]);
  expect(await project.log.head()).toBe(head);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("with --read-only no item of the inbox can be decided on, by a button or a key", async () => {
  const { page, seen, sent } = await openShown("/inbox");
  const rows = page.getByRole("region", { name: /^Waiting for you/ }).getByRole("link");
  await rows.first().waitFor();
  for (const row of await rows.all()) {
    await row.click();
    await areDisabled(page.locator(".answers, .verdicts").getByRole("button"));
    for (const key of ["1", "a", "r", "x", "z"]) await page.keyboard.press(key);
  }
  await page.getByText(REASON).waitFor();
  expect(sent).toEqual([]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("with --read-only learnings can be read, and neither pinned nor retired", async () => {
  const { page, seen, sent } = await openShown("/learnings");
  await page.getByRole("button", { name: /^Orders have at most/ }).click();
  const pin = page.getByRole("button", { name: "Pin (p)" });
  await areDisabled(page.getByRole("button", { name: /^(Pin|Retire)/ }));
  // Whoever comes there by keyboard, or taps it, reads why.
  await pin.focus();
  await page.getByRole("tooltip").getByText(REASON).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  await pin.click({ force: true });
  await page.getByRole("tooltip").getByText(REASON).waitFor();
  await page.keyboard.press("Escape");
  for (const key of ["p", "x", "u", "z"]) await page.keyboard.press(key);
  await page.getByRole("status").filter({ hasText: REASON }).waitFor();
  expect(sent).toEqual([]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("with --read-only a timeline takes no comment and no status", async () => {
  const { page, seen, sent } = await openShown("/tasks/1");
  await page.getByLabel("Comment on task 1").fill("Mind the time zone.");
  await areDisabled(page.getByRole("button", { name: "Send" }));
  await page.locator("#composer-hint", { hasText: REASON }).waitFor();
  await page.keyboard.press("Control+Enter");
  await menuSaysWhy(page, 1);
  expect(sent).toEqual([]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

for (const view of ["sessions", "charts", "log"]) {
  test(`with --read-only the ${view} are shown as ever`, async () => {
    const { page, seen, sent } = await openShown(`/${view}`);
    await page
      .getByRole("main")
      .getByRole(view === "charts" ? "img" : "link")
      .first()
      .waitFor();
    expect(sent).toEqual([]);
    expect(seen).toEqual({ faults: [], strangers: [] });
  });
}
