// @module-tag chromium
import { expect, test } from "vitest";
import { createTask } from "../../src/index.ts";
import { freshProject } from "../support/project.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { ask, partial, session } from "./support/given-inbox.ts";

useBrowser();

const suggest = (what: string) => ["suggest", { what, kind: "new_task", why: "It was asked for." }] as const;
const flag = (what: string) => ["flag", { what, severity: "blocking", category: "bug" }] as const;

/** A blocking question, three proposals and two blocking flags. */
async function givenMany() {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export orders" }));
  const said = [...["CSV", "XML", "JSON"].map(suggest), ...["Prices are floats", "No index"].map(flag)];
  await session(project, "s-1", 1, ask("Tabs?", "tabs", "semicolons"), ...said, partial);
  return project;
}

test("the page opens on the inbox while something blocks work; marked items are decided and undone as one", async () => {
  const project = await givenMany();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/inbox");
  const rows = page.getByRole("region", { name: /^Waiting for you/ }).getByRole("link");
  await page.getByRole("navigation").getByRole("link", { name: "Inbox 6 , 1 blocks work" }).waitFor();
  const headings = page.getByRole("region", { name: /^Waiting/ }).getByRole("heading");
  await expect
    .poll(() => headings.allInnerTexts())
    .toEqual(["Questions 1", "Proposals 3", "Blocking flags 2"]);

  await page.getByRole("button", { name: "Proposals 3" }).click();
  await expect.poll(() => rows.count()).toBe(3);
  expect(new URL(page.url()).searchParams.get("kind")).toBe("proposal");
  await rows.filter({ hasText: "CSV" }).and(page.locator("[aria-current=true]")).waitFor();
  // The chip has the focus, and takes Space itself.
  await page.keyboard.press("j");
  await page.locator(":focus", { hasText: "XML" }).waitFor();
  await page.keyboard.press(" ");
  await page.getByText("1 proposal marked").waitFor();
  await page.keyboard.press("k");
  await page.locator(":focus", { hasText: "CSV" }).waitFor();
  await page.keyboard.press(" ");
  await page.getByText("2 proposals marked").waitFor();
  await page.getByRole("button", { name: "Mark all" }).click();
  await page.getByText("3 proposals marked").waitFor();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: /^Undo: approved .* and 2 more$/ }).waitFor();
  const typesOf = async () => (await project.log.read(0, 100)).map(({ type }) => type);
  expect((await typesOf()).slice(-3)).toEqual(Array(3).fill("suggestion.approved"));
  await page.keyboard.press("z");
  await expect.poll(() => rows.count()).toBe(3);
  expect((await typesOf()).slice(-3)).toEqual(Array(3).fill("suggestion.reopened"));

  await page.getByRole("button", { name: "Blocking flags 2" }).click();
  await rows.filter({ hasText: "No index" }).waitFor();
  await page.getByRole("checkbox", { name: "Mark: No index" }).check();
  await page.getByRole("checkbox", { name: "Mark: Prices are floats" }).check();
  await page.getByRole("button", { name: "acknowledge 2" }).click();
  await page.getByText("No blocking flags need you").first().waitFor();
  await page.getByRole("button", { name: "All" }).click();
  await expect.poll(() => headings.allInnerTexts()).toEqual(["Questions 1", "Proposals 3"]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});
