// @module-tag chromium
import { expect, test, vi } from "vitest";
import { loginsOf } from "../../src/outside/people/logins.ts";
import { holders } from "../../src/outside/people/tokens.ts";
import { asks } from "../notices/given.ts";
import { CLIENT, givenProvider } from "../people/given-provider.ts";
import { freshProject, givenConfig } from "../support/project.ts";
import { openPage, useBrowser } from "./support/browser.ts";
import { freshPanel } from "./support/panel.ts";
import { starts, task } from "./support/work.ts";

useBrowser();

test("a person logs in, answers a question as who they are, and logs out", async () => {
  const { project, folder, db } = await freshProject();
  const { panel, origin } = await freshPanel({ project, people: holders(db), logins: loginsOf(db) });
  const issuer = await givenProvider({ redirectUris: [`${origin}/login/callback`] });
  vi.stubEnv("SIGNALBOX_TEST_SECRET", CLIENT.secret);
  givenConfig(folder, {
    people: { ada: { role: "answer", login: "ada@example.com" } },
    login: { issuer, client_id: CLIENT.id, client_secret: { env: "SIGNALBOX_TEST_SECRET" } },
  });
  await project.log.append([task(1, "Add export"), starts("s-1", 1), asks("Sync or async?")]);
  const { page, context } = await openPage(panel);
  await context.clearCookies();
  await page.goto(`${origin}/inbox`);
  await page.getByRole("link", { name: "Log in at" }).click();
  await page.locator("[name=login]").fill("ada");
  await page.locator("[name=password]").fill("any");
  await page.locator("[type=submit]").click();
  await page.locator("[type=submit]").click();
  await page.getByText("ada · answer").waitFor();
  expect(new URL(page.url()).pathname).toBe("/inbox");
  await page.getByRole("textbox").first().fill("sync");
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(async () => (await project.log.read(0, 100)).map(({ type, actor }) => `${type} ${actor}`))
    .toContain("question.answered ada");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("heading", { name: "Log in to open the panel" }).waitFor();
});
