import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ChangesWish, sessionChanges } from "../../src/loop/session-changes.ts";
import { useBundle } from "../children.ts";
import { givenLoop } from "./given-loop.ts";
import type { Act } from "./script.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const shell = (command: string): Act => ({ shell: command });
/** @param told the file that ends it, from its folder */
const changes = (told: string): readonly Act[] => [
  { init: "connected" },
  shell("printf 'one\\ntwo\\n' > a.txt"),
  shell("git add a.txt && git -c user.name=a -c user.email=a@b commit -qm A"),
  shell("printf 'TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345\\n' > settings.txt; echo x > .env"),
  { call: "done", with: { summary: "Changed." } },
  { until: told },
  { result: {} },
];

const wish = (open: readonly string[] = [], text?: string): ChangesWish => ({
  ...{ open, text, secrets: [] },
  signal: new AbortController().signal,
});

test.each([
  ["worktree", true],
  ["folder that all share", false],
])(
  "in a %s, the changes of a session are those since its agent started, and stay when it ended",
  async (_name, worktrees) => {
    const loop = await givenLoop(agent, {
      tasks: [{ title: "Change" }],
      acts: { 1: [changes(worktrees ? "../../told" : ".ralph/told")] },
      config: { worktrees },
      git: true,
    });
    const run = loop.run();
    const row = async () => (await loop.project.queries.sessions({ task: 1 }))[0];
    const look = async (asked = wish()) => {
      const found = await row();
      return found ? sessionChanges(loop.db, found, asked) : { missing: "not_kept" as const };
    };
    const paths = async (asked?: ChangesWish) => {
      const found = await look(asked);
      return "missing" in found ? found : found.files.map(({ path }) => path);
    };
    await expect.poll(() => paths(), { timeout: 60_000 }).toEqual([".env", "a.txt", "settings.txt"]);
    const running = await look(wish(["a.txt", "settings.txt", ".env", "other"]));
    expect(running).toMatchObject({ to: null, worktree: worktrees, clean: true, added: 4, removed: 0 });
    expect("missing" in running ? running : running.opened).toEqual([
      { path: "a.txt", hunks: "@@ -0,0 +1,2 @@\n+one\n+two\n", cut: 0, hidden: null },
      { path: "settings.txt", hunks: "@@ -0,0 +1 @@\n+TOKEN=[masked]\n", cut: 0, hidden: null },
      { path: ".env", hunks: "", cut: 0, hidden: "secret" },
    ]);
    expect(await paths(wish([], "two"))).toEqual(["a.txt"]);
    expect(await paths(wish([], "settings"))).toEqual(["settings.txt"]);
    writeFileSync(loop.path(".ralph/told"), "");
    expect(await run).toMatchObject({ exitCode: 0 });
    // A worktree's remaining files were committed, except secrets.
    expect(await paths()).toEqual(worktrees ? ["a.txt", "settings.txt"] : ["a.txt"]);
    const found = await row();
    const runFolder = join(loop.folder, ".ralph", "run", found?.id ?? "");
    const head = join(loop.folder, ".git", "HEAD");
    writeFileSync(head, readFileSync(head, "utf8").replace("ref: ", "broken "));
    expect(await look()).toEqual({
      missing: "failed",
      reason: expect.stringContaining("not a git repository"),
    });
    writeFileSync(head, readFileSync(head, "utf8").replace("broken ", "ref: "));
    const commits = join(runFolder, "commits.json");
    const kept = readFileSync(commits, "utf8");
    writeFileSync(commits, kept.replace(/"start":\s*"[0-9a-f]+"/, `"start":"${"1".repeat(40)}"`));
    expect(await look()).toEqual({ missing: "gone" });
    rmSync(runFolder, { recursive: true });
    expect(await look()).toEqual({ missing: "not_kept" });
  },
);
