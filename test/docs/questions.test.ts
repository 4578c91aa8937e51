import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { linksOf, proseOf } from "./links.ts";

/* Catches: a newcomer's question whose answer was moved, renamed, or left out of what the site's start page leads to. */

/** What newcomers ask first; the page of the answer, and its heading there. */
const questions = [
  ["What do I type first?", "README.md", "Claude Code and a repository"],
  ["How do I install it?", "docs/install.md", "Install"],
  ["Does it run on my system?", "docs/platforms.md", "Differences"],
  ["How do I try it without paying for a model?", "docs/tutorial.md", "Run the loop"],
  ["What can it do that other tools cannot?", "docs/compare.md", "What signalbox is for"],
  ["How do I choose the agent, its model and how many run at once?", "docs/config.md", "Fields"],
  ["Why does it say that my configuration is not confirmed?", "docs/config.md", "Confirmed by a human"],
  ["What may an agent do without asking?", "docs/clients.md", "Permissions"],
  ["How do I keep an agent from my keys and the network?", "docs/sandbox.md", "What an agent reaches"],
  ["How do I have the tests run before a task counts as done?", "docs/gates.md", "Write gates"],
  ["Where do I answer what agents ask?", "docs/operating.md", "What waits for you"],
  ["Why is this task not done, or not started?", "docs/history.md", "Why"],
  ["What happens at a usage limit, or when an agent fails?", "docs/operating.md", "The loop"],
  ["How do I pause or stop it?", "docs/operating.md", "Pause and stop"],
  ["How does the work get into my branch?", "docs/operating.md", "Worktrees"],
  ["What does the page in the browser show?", "docs/panel.md", "Views"],
  ["How do my colleagues get in?", "docs/people.md", "Set up a team of three"],
  ["How am I told on my phone?", "docs/notices.md", "Channels"],
  ["A secret got into the log: how do I remove it?", "docs/trust.md", "Remove a secret"],
  ["How do I upgrade?", "docs/operating.md", "Upgrading"],
] as const;

const textOf = (path: string) => readFileSync(packagePath(path), "utf8");
const config = textOf("site/.vitepress/config.ts");

test("twenty questions of a newcomer are answered within two clicks from the site's start page", () => {
  expect(questions).toHaveLength(20);
  const oneClick = new Set(["README.md", ...sidebar(), ...linkedByStart()].filter(isBuilt));
  const lost = questions.filter(
    ([, page, heading]) => !oneClick.has(page) || !shownHeadings(page).includes(heading),
  );
  expect(lost).toEqual([]);
});

/** The pages that stand beside each page of the site. */
function sidebar(): string[] {
  const single = [...config.matchAll(/link: "\/([^"]+)"/g)].map(([, link]) => `${link}.md`);
  const listed = [...config.matchAll(/pages\(\[([^\]]+)\]\)/g)].flatMap(([, names = ""]) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => `docs/${name}.md`),
  );
  expect(listed.length).toBeGreaterThan(10);
  return [...single, ...listed];
}

/** The site's start page is the README; its links to the repository on GitHub leave the site. */
function linkedByStart(): string[] {
  expect(config).toContain('"README.md": "index.md"');
  return linksOf("README.md").flatMap(({ target, isRelative }) => (isRelative ? [target] : []));
}

function isBuilt(page: string): boolean {
  const copied = [...textOf("site/build.mjs").matchAll(/"([\w./]+)"/g)].map(([, path]) => path);
  return copied.some((path) => page === path || page.startsWith(`${path}/`));
}

/** The title, at which a page opens, and the headings beside it, which are a click away. */
function shownHeadings(page: string): string[] {
  const [, from, to] = /outline: \[(\d), (\d)\]/.exec(config) ?? [];
  const shown = new RegExp(`^(?:#|#{${from},${to}}) (.+)$`, "gm");
  return [...proseOf(page).matchAll(shown)].map(([, heading = ""]) => heading);
}
