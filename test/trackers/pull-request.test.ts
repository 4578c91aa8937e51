import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { useBundle } from "../children.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, givenConfig } from "../support/project.ts";
import { GithubServer } from "./github-server.ts";

/* Catches: a pull request whose proof proves nothing, and a check of it that passes all. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", "-C", folder, ...args], {
    encoding: "utf8",
  });

async function givenRepository() {
  const server = await new GithubServer().start();
  const [folder, remote] = [freshFolder(), freshFolder()];
  git(remote, "init", "--quiet", "--bare", "--initial-branch=main");
  git(folder, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(folder, "README"), "shop\n");
  git(folder, "add", "README");
  git(folder, "commit", "--quiet", "-m", "Begin");
  git(folder, "remote", "add", "origin", remote);
  git(folder, "push", "--quiet", "origin", "main");
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd: folder, env: { TOKEN: "t0ken", HOME: freshFolder() } });
    return `${ran.stdout}${ran.stderr}`;
  };
  await run("init", "--yes");
  await run("key", "make");
  // The agent `pretend` changes nothing.
  await run("policy", "set", "evidence.no_change", "note");
  givenConfig(folder, {
    agent: "pretend",
    worktrees: true,
    github: { repository: "acme/shop", url: server.url, token: { env: "TOKEN" }, pull_requests: true },
  });
  return { server, folder, remote, run };
}

/** The example's script, with `signalbox-verify` on PATH as an install has it. */
function verify(checkout: string, key: string, branch = "signalbox/task-1") {
  const bin = freshFolder();
  symlinkSync(packagePath("bin/signalbox-verify.js"), join(bin, "signalbox-verify"));
  const { status, stdout, stderr } = spawnSync(
    "bash",
    [packagePath("examples/github/verify.sh"), checkout, branch],
    {
      env: { PATH: `${bin}:${process.env.PATH}`, KEY: key },
      encoding: "utf8",
    },
  );
  return { status, output: `${stdout}${stderr}` };
}

test("a task of an issue that an agent has done is a pull request whose proofs the action's script checks", async () => {
  const { server, folder, remote, run } = await givenRepository();
  server.issue({ title: "Add export" });
  expect(await run("run", "--github", "--once")).toContain("loop stopped after 1 session");
  expect(server.faults).toEqual([]);
  expect(server.pulls).toMatchObject([
    { branch: "signalbox/task-1", base: "main", title: "Task 1: Add export" },
  ]);
  expect(server.issues[0]?.labels).toEqual(["signalbox", "signalbox: done"]);
  expect(server.saidBy("signalbox-bot").at(-1)).toMatch(/^\*\*Task 1 is done\.\*\* http/);
  // Again, nothing comes twice.
  expect(await run("github", "sync")).toContain("0 new tasks");
  expect(server.pulls).toHaveLength(1);
  const checkout = freshFolder();
  git(checkout, "clone", "--quiet", "--branch", "signalbox/task-1", remote, "shop");
  const key = (await run("key", "show")).trim();
  const shop = join(checkout, "shop");
  const proofs = join(shop, ".signalbox/proofs/task-1");
  // Of the done, and of what its driver found.
  expect(readdirSync(proofs)).toEqual(Array(2).fill(expect.stringMatching(/^\d+\.proof$/)));
  expect(verify(shop, key)).toMatchObject({ status: 0, output: expect.stringContaining("signal.done") });
  // The task's own branch stays as it was.
  expect(git(folder, "ls-tree", "-r", "--name-only", "signalbox/task-1")).not.toContain(".signalbox/proofs");

  const [file = ""] = readdirSync(proofs).map((name) => join(proofs, name));
  const told = readFileSync(file, "utf8");
  writeFileSync(
    file,
    told.replace(/task(\W+)1/, (_all, between) => `task${between}2`),
  );
  expect(verify(shop, key)).toMatchObject({ status: 1 });
  writeFileSync(file, told);
  expect(verify(shop, `${key.slice(0, -8)}AAAAAAA=`).status).not.toBe(0);
  mkdirSync(join(checkout, "none"));
  expect(verify(join(checkout, "none"), key)).toMatchObject({
    status: 1,
    output: expect.stringContaining("no proof"),
  });
  // Proofs of another task prove nothing, and without a key nothing is proven.
  expect(verify(shop, key, "signalbox/task-2")).toMatchObject({ status: 1 });
  expect(verify(shop, key, "main").status).toBe(1);
  expect(verify(shop, "").status).not.toBe(0);
});

test.each([
  ["another commit with the same files", "echo", false],
  ["other files", "echo z > later.txt; git add later.txt", true],
])(
  "a pull request has what was verified, though its branch got %s, and what was found of it in the one wording, as text",
  async (_what, change, moved) => {
    const { server, folder, remote, run } = await givenRepository();
    const shell =
      "echo x > work.txt; git add .; git commit -qm Work; echo y > '@ada ```#1.txt'; git stash -qu";
    const acts = [
      { init: "connected" },
      { shell },
      { call: "done", with: { summary: "Did" } },
      { result: {} },
    ];
    git(folder, "config", "user.name", "Ada");
    git(folder, "config", "user.email", "ada@example.org");
    const script = join(freshFolder(), "script.json");
    const journal = join(freshFolder(), "journal");
    writeFileSync(script, JSON.stringify({ journal, atWork: freshFolder(), tasks: {}, others: [acts] }));
    const command = [process.execPath, agent, script, "{mcp_config}", "{model}"].join(" ");
    givenConfig(folder, {
      agent: "stand-in",
      agents: { "stand-in": { kind: "command", command } },
      worktrees: true,
      github: { repository: "acme/shop", url: server.url, token: { env: "TOKEN" }, pull_requests: true },
    });
    await run("policy", "set", "evidence.left_behind", "ask");
    server.issue({ title: "Add export" });
    await run("run", "--github", "--once");
    expect(server.pulls).toEqual([]);
    const verified = git(folder, "rev-parse", "signalbox/task-1").trim();
    const worktree = join(folder, ".ralph/worktrees/task-1");
    execFileSync("sh", ["-c", change], { cwd: worktree });
    git(worktree, "commit", "--quiet", "--allow-empty", "--message=Later");
    const later = git(folder, "rev-parse", "signalbox/task-1").trim();
    const shown = await run("task", "show", "1");
    await run("inbox", "accept", "1");
    await run("github", "sync");
    const [pull] = server.pulls;
    const [, words = ""] = /worked\s+(.*) \(#\d+\)/.exec(shown) ?? [];
    expect(words).toContain("1 file, +1 −0, 1 commit; left behind: @ada ```#1.txt is in a stash");
    expect(pull?.body).toContain(`Its driver found:\n\n\`\`\`\`text\n${words}\n\`\`\`\``);
    expect(pull?.body).toMatch(/\| worked \| found by its driver \| \d+ \|/);
    expect(pull?.body).toMatch(/\| accepted \| by a human, with left behind \| \d+ \|/);
    expect(/Its branch has moved to [0-9a-f]{12} since: /.test(pull?.body ?? "")).toBe(moved);
    expect(git(remote, "rev-parse", "signalbox/task-1^").trim()).toBe(moved ? verified : later);
    expect(git(remote, "ls-tree", "-r", "--name-only", "signalbox/task-1").match(/\.proof$/gm)).toHaveLength(
      3,
    );
  },
);

test("GitHub being away keeps no loop from its work", async () => {
  const { server, run } = await givenRepository();
  await run("task", "add", "By hand");
  for (let at = 0; at < 20; at++)
    server.instead.push((_request, response) => {
      response.writeHead(502).end();
      return true;
    });
  const said = await run("run", "--github", "--once");
  expect(said).toMatch(/GitHub refused|GitHub answered .* with 502/);
  expect(said).toContain("loop stopped after 1 session");
});
