import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { useDemo } from "./support/demo.ts";
import { packed } from "./support/packed-picture.ts";
import { goTo } from "./support/views.ts";

useBrowser();
const demo = useDemo();

const FOLDER = packagePath("docs/pictures");
const isWriting = process.env.SIGNALBOX_PICTURES === "write";

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly scheme: "light" | "dark";
  /** What its caption, where it stands in the docs, says is to be seen. */
  shows(page: Page): Promise<void>;
}

const board = async (page: Page) => {
  await page.getByRole("heading", { name: /^Ready \d+/ }).waitFor();
  await page.getByRole("heading", { name: /^Draft \d+/ }).waitFor();
  await page.getByRole("button", { name: "Approve" }).first().waitFor();
};

const pictures: readonly Picture[] = [
  { file: "board.png", path: "/board", scheme: "light", shows: board },
  { file: "board-dark.png", path: "/board", scheme: "dark", shows: board },
  {
    file: "inbox.png",
    path: "/inbox",
    scheme: "light",
    async shows(page) {
      await page
        .getByRole("region", { name: /^Waiting for you/ })
        .getByRole("link")
        .nth(2)
        .waitFor();
      await page.getByText("Latest signals on").waitFor();
      await page.getByRole("region", { name: "Actions you can undo" }).waitFor();
    },
  },
  {
    file: "timeline.png",
    path: "/tasks/",
    scheme: "light",
    async shows(page) {
      await page
        .getByRole("article", { name: /^Comment/ })
        .first()
        .waitFor();
      await page
        .getByRole("article", { name: /^(Done|Learned|Ask)/ })
        .first()
        .waitFor();
      await page.getByRole("textbox", { name: /^Comment on task/ }).waitFor();
    },
  },
  {
    file: "time-travel.png",
    path: "/board?at=",
    scheme: "light",
    async shows(page) {
      await page.getByText(/Viewing the project at #/).waitFor();
      await page.locator("article[data-changed]").first().waitFor();
      await page.locator(".sparkline rect").first().waitFor();
    },
  },
];

/** A position in the midst of the demo at which the status of a task changed. */
async function changeInTheMidst(): Promise<number> {
  const [row] = (await demo().queries.sql(`
    SELECT position FROM status_changes WHERE to_status = 'in_progress' AND position > 700
    ORDER BY position LIMIT 1`)) as { position: number }[];
  return row?.position ?? 0;
}

/** A task of the demo on which people and agents talk. */
async function spokenOf(): Promise<number> {
  const [row] = (await demo().queries.sql(`
    SELECT c.task_id AS task FROM comments c JOIN signals s ON s.task_id = c.task_id AND s.verb = 'learned'
    GROUP BY c.task_id ORDER BY count(*) DESC, c.task_id LIMIT 1`)) as { task: number }[];
  return row?.task ?? 0;
}

/** What the demo decides of an address. */
const rest: Readonly<Record<string, () => Promise<number>>> = {
  "/tasks/": spokenOf,
  "/board?at=": changeInTheMidst,
};

test.each(pictures)(
  "the picture $file matches the docs",
  { tags: "chromium" },
  async ({ file, path, scheme, shows }) => {
    const project = demo();
    const { panel } = await freshPanel({ project });
    const { page, seen } = await openPage(panel, "/log", {
      viewport: { width: 1_280, height: 800 },
      colorScheme: scheme,
      reducedMotion: "reduce",
      timezoneId: "UTC",
    });
    const [last] = await project.log.read((await project.log.head()) - 1, 1);
    await page.clock.setFixedTime(Date.parse(last?.recordedAt ?? "") + 60_000);
    await goTo(page, path + ((await rest[path]?.()) ?? ""));
    await shows(page);
    if (isWriting) {
      mkdirSync(FOLDER, { recursive: true });
      const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
      writeFileSync(`${FOLDER}/${file}`, packed(picture));
    }
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);

test("every picture is made here, named in the docs with its words, and small", () => {
  const docs = ["README.md", "docs/panel.md"]
    .map((name) => readFileSync(packagePath(name), "utf8"))
    .join("\n");
  expect(readdirSync(FOLDER).sort()).toEqual(pictures.map(({ file }) => file).sort());
  for (const { file } of pictures) {
    expect(docs, file).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\(https:\\S+/docs/pictures/${file}\\)`));
    expect(statSync(`${FOLDER}/${file}`).size, file).toBeLessThan(200_000);
  }
});
