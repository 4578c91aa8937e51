import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Beginning, beginningOf } from "../../src/workspace/evidence/beginning.ts";
import { workSince } from "../../src/workspace/evidence/work.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "../workspace/given.ts";

/*
 * What is found where the work changed what judges it, or something around it, with real git. Catches: a gate that an agent made pass
 * by its script or its test, and an agent that is asked about although it did nothing of that kind.
 */

const files: Readonly<Record<string, string>> = {
  ".gitignore": ".ralph/\n",
  "package.json": JSON.stringify({
    scripts: { test: "npm run unit && node scripts/lint.mjs", unit: "node --test test/", build: "tsc" },
  }),
  "scripts/lint.mjs": "process.exit(0);\n",
  Makefile: "all: check\n\ncheck: units\n\t./verify.sh\n\nunits:\n\tpytest\n\nclean:\n\trm -rf out\n",
  "verify.sh": "exit 0\n",
  "src/add.js": "export function add(a, b) {\n  return a + b;\n}\nexport const sub = (a, b) => a - b;\n",
  "test/add.test.js":
    'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(2, 2), 4);\n});\ntest("takes", () => {\n  assert.equal(sub(2, 1), 1);\n});\n',
  "tests/test_all.py":
    "def test_all():\n    assert add(1, 2) == 3\n\ndef test_none():\n    assert none() is None\n",
  "add_test.go": 'func TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
  "tests/add.rs": "#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n",
  "checks/schema.json": "{}\n",
  "expected.txt": "3\n",
  "lint.config.js": "{}\n",
  "made.sh": "exit 0\n",
  "README.md": "# Add\n",
};

const PATHS = Object.keys(files);

interface Row {
  readonly name: string;
  readonly shell: string;
  /** What is said of each file; absent: nothing is found. */
  readonly finds?: RegExp;
  readonly paths?: readonly string[];
  /** Command lines of gates. */
  readonly gates?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: "lets the script that a gate runs exit with 0",
    shell: `sed -i 's/npm run unit[^"]*/exit 0/' package.json`,
    finds: /package\.json: test, which a gate runs, was changed/,
    paths: ["package.json"],
  },
  {
    name: "changes a script that the gate's script runs",
    shell: `sed -i 's/node --test/true/' package.json`,
    finds: /package\.json: unit, which a gate runs, was changed/,
  },
  {
    name: "changes a file that the gate's script names",
    shell: "echo 1 >> scripts/lint.mjs",
    finds: /scripts\/lint\.mjs, which a gate names, was changed/,
  },
  {
    name: "changes another script, and adds one",
    shell: `sed -i 's/"tsc"/"tsc -b","docs":"typedoc"/' package.json`,
  },
  {
    name: "changes what make runs for a target of another one",
    shell: "sed -i 's/pytest/true/' Makefile",
    gates: ["make check"],
    finds: /Makefile: check, which a gate runs, was changed/,
  },
  { name: "changes another target", shell: "sed -i 's/rm -rf/rm -r/' Makefile", gates: ["CI=1 make check"] },
  {
    name: "changes a file that a gate names in a shell of its own",
    shell: "echo true > verify.sh",
    gates: ["sh -c 'cd . && ./verify.sh'"],
    finds: /verify\.sh, which a gate names, was changed/,
  },
  {
    name: "changes what a gate only looks at",
    shell: "echo '// todo' >> src/add.js",
    gates: ["grep -q add src/add.js", "test -f src/add.js && wc -l src/add.js"],
  },
  {
    name: "changes the code whose output a gate compares, or that it compiles",
    shell: "echo '// todo' >> src/add.js",
    gates: [
      "node src/add.js | grep -q 3",
      '[ "$(node src/add.js)" = 3 ]',
      "node --check src/add.js",
      "tsc src/add.js",
      "npx prettier --check src/add.js README.md",
    ],
  },
  {
    name: "changes the setting by which a program judges",
    shell: "echo '{ }' > lint.config.js",
    gates: ["CI=1 npx eslint --config=lint.config.js src"],
    finds: /lint\.config\.js, which a gate names, was changed/,
  },
  {
    name: "changes what a gate compares with",
    shell: "echo 4 > expected.txt",
    gates: ["node src/add.js > out.txt && diff -u expected.txt out.txt"],
    finds: /expected\.txt, which a gate names, was changed/,
  },
  {
    name: "changes a script of another package's folder that a gate names",
    shell: `sed -i 's/pytest/true/' Makefile`,
    gates: ["make -C . check", "npm --prefix . run build", "pnpm --filter web test"],
    finds: /Makefile: check, which a gate runs, was changed/,
  },
  {
    name: "adds a case to a test that a gate names",
    shell: `echo 'test("more", () => assert.equal(add(0, 0), 0));' >> test/add.test.js`,
    gates: ["node --test test/add.test.js"],
  },
  {
    name: "changes a script that the task makes",
    shell: "echo exit 1 > made.sh",
    gates: ["sh made.sh"],
  },
  {
    name: "deletes a protected file",
    shell: "git rm -q checks/schema.json",
    finds: /checks\/schema\.json, which gates\.protect names, was deleted/,
  },
  { name: "adds a protected file", shell: "echo {} > checks/more.json" },
  {
    name: "deletes a test",
    shell: "rm test/add.test.js",
    finds: /test\/add\.test\.js was deleted/,
    paths: ["test/add.test.js"],
  },
  {
    name: "deletes tests with the code that they test",
    shell: "rm test/add.test.js src/add.js",
  },
  {
    name: "deletes a test, and takes a line out of the code",
    shell: "rm test/add.test.js; sed -i '2d' src/add.js",
    finds: /test\/add\.test\.js was deleted/,
  },
  {
    name: "renames a test to what nothing runs",
    shell: "git mv test/add.test.js off.js.txt",
    finds: /test\/add\.test\.js is off\.js\.txt now, which is no test/,
  },
  {
    name: "hides a deleted test from diffs",
    shell: "echo '*.js -diff' > .gitattributes; rm test/add.test.js",
    finds: /test\/add\.test\.js was deleted/,
  },
  {
    name: "writes code that only looks like a skipped test",
    shell: `printf 'model.fit(X, y)\\nitems.on''ly("a")\\n' >> tests/test_all.py; printf 'it.sk''ip(1);\\n' >> tests/add.rs`,
  },
  {
    name: "adds a case that is skipped on some machines",
    shell: `printf '\\nfunc TestLong(t *testing.T) {\\n\\tt.Skip()\\n}\\n' >> add_test.go`,
  },
  { name: "moves a test", shell: "mkdir unit && git mv test/add.test.js unit/plus.test.js" },
  {
    name: "moves a case to another test",
    shell: "sed -n '5,7p' test/add.test.js > test/sub.test.js && sed -i '5,7d' test/add.test.js",
  },
  {
    name: "skips a case",
    shell: `sed -i 's/^test("takes"/test.sk''ip("takes"/' test/add.test.js`,
    finds: /test\/add\.test\.js has a new skip or only mark/,
  },
  {
    name: "runs one case only",
    shell: `sed -i 's/^test("takes"/test.on''ly("takes"/' test/add.test.js`,
    finds: /test\/add\.test\.js has a new skip or only mark/,
  },
  {
    name: "skips a case in Python",
    shell: "sed -i '1i @pytest.mark.skip' tests/test_all.py",
    finds: /test_all\.py has a new skip/,
  },
  {
    name: "skips a case in Go",
    shell: "sed -i '1a \\\\tt.Skip()' add_test.go",
    finds: /add_test\.go has a new skip/,
  },
  {
    name: "ignores a case in Rust",
    shell: "sed -i '1i #[ignore]' tests/add.rs",
    finds: /tests\/add\.rs has a new skip/,
  },
  {
    name: "takes assertions out",
    shell: "sed -i '/assert.equal(add/d' test/add.test.js",
    finds: /test\/add\.test\.js has 2 fewer assertions/,
  },
  {
    name: "comments an assertion out",
    shell:
      "sed -i 's/    assert none/    # assert none/' tests/test_all.py; sed -i 's/    assert add/    assert True # add/' tests/test_all.py",
    finds: /tests\/test_all\.py has 2 fewer assertions/,
  },
  {
    name: "adds cases, and words one in another way",
    shell: `sed -i 's/add(1, 2), 3)/add(3, 4), 7)/' test/add.test.js; cp test/add.test.js test/more.test.js`,
  },
  {
    name: "writes code and a new skipped test",
    shell: `echo 'export const x = 1;' >> src/add.js; echo 'test.sk''ip("x", () => {});' > test/x.test.js`,
  },
];

/** A worktree of task 1 in a repository with these files, in which a session begins. */
async function given() {
  const { folder: root, git, write, commit } = givenRepository();
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  for (const path of PATHS) write(path, files[path] ?? "");
  commit();
  chmodSync(join(root, "verify.sh"), 0o755);
  git("branch", "signalbox/task-2", git("commit-tree", "-m", "Two", "HEAD^{tree}").trim());
  const { folder } = await worktreeOf(root, 1, { base: "main" });
  const workspace = openWorkspace(folder, freshFolder(), []);
  const begin = async (fork?: string): Promise<Beginning> => {
    const start = await workspace.look();
    if (!start) throw new Error("The worktree cannot be looked at.");
    const checks = { protect: ["checks/**"], folder: ".", makes: ["made.sh"], commands: ["npm test"] };
    return await beginningOf(workspace, start, { own: { task: 1, root, base: "main", fork }, checks });
  };
  const run = (shell: string, cwd = folder) => execFileSync("sh", ["-c", shell], { cwd, stdio: "pipe" });
  return { root, folder, git, workspace, begin, run, began: await begin() };
}

const NOTHING = async () => ({ landings: [], worked: [] });

test("each of these agents is asked about, or left alone", { timeout: 60_000 }, async () => {
  const { began: at, run, workspace } = await given();
  for (const { name, shell, finds, paths, gates } of rows) {
    const began = { ...at, ...(gates && at.checks && { checks: { ...at.checks, commands: [...gates] } }) };
    run("git reset -q --hard main; git clean -qfdx");
    run(shell);
    const found = (await workSince(began, workspace, { explained: NOTHING }))?.findings ?? [];
    const wanted = { kind: "checks_changed", says: expect.stringMatching(finds ?? "") };
    expect.soft(found, name).toMatchObject(finds ? [wanted] : []);
    expect.soft(found, name).toHaveLength(finds ? 1 : 0);
    if (paths) expect.soft(found[0]?.paths, name).toEqual(paths);
  }
});

test("a test that an earlier session of the task has weakened is found at the end of a later one, until it is as before", async () => {
  const { run, begin, workspace, root } = await given();
  run(`sed -i 's/^test("takes"/test.sk''ip("takes"/' test/add.test.js; git commit -qam Skip`);
  const began = await begin();
  // The base goes on: what came with it is no work of this task.
  run(`sed -i '/assert/d' tests/test_all.py; git commit -qam Less`, root);
  run("git merge -q main; echo 1 > one.txt; git add .; git commit -qm One");
  const finds = async () => (await workSince(began, workspace, {}))?.findings ?? [];
  const [found] = await finds();
  expect(found).toMatchObject({ kind: "checks_changed", paths: ["test/add.test.js"] });
  const mend = /`(git checkout [0-9a-f]{12} -- test\/add\.test\.js)` and commit/.exec(found?.says ?? "")?.[1];
  run(`${mend}; git commit -qm Back`);
  expect(await finds()).toEqual([]);
});

test.for([
  ["the checkout on another branch", "git checkout -qb oops", /the checkout left main for oops/],
  [
    "a commit straight onto main",
    "echo 1 > one.txt; git add .; git commit -qm One",
    /main moved to \w{12} without a merge of ours/,
  ],
  ["the branch of another task deleted", "git branch -qD signalbox/task-2", /signalbox\/task-2 was deleted/],
  [
    "the branch of another task moved",
    "git branch -qf signalbox/task-2 $(git commit-tree -m x HEAD^{tree})",
    /signalbox\/task-2 moved to/,
  ],
  ["a hook", "echo true > .git/hooks/pre-commit", /\.git\/hooks\/pre-commit was changed/],
  ["a setting of git", "git config core.hooksPath /dev/null", /core\.hookspath was changed/],
  [
    "the project's configuration",
    "mkdir -p .ralph; echo '{}' > .ralph/config.json",
    /\.ralph\/config\.json was changed/,
  ],
] as const)("%s while a session runs in its worktree is noted on it", async ([, shell, says]) => {
  const { began, run, root, workspace } = await given();
  run("echo w > work.txt");
  run(shell, root);
  const work = await workSince(began, workspace, { explained: NOTHING });
  expect(work?.findings).toMatchObject([{ kind: "outside", paths: [], says: expect.stringMatching(says) }]);
});

test("what the log explains is not noted: merges that landed, branches removed after theirs, other sessions", async () => {
  const { began, run, root, git, workspace } = await given();
  run("echo w > work.txt");
  const idOf = (name: string) => git("rev-parse", name).trim();
  const [from, other] = [idOf("main"), idOf("signalbox/task-2")];
  run("echo 1 > one.txt; git add .; git commit -qm One; git branch -qD signalbox/task-2", root);
  run(
    "git branch signalbox/task-3; git config branch.main.remote origin; git config submodule.a.url b",
    root,
  );
  const to = idOf("main");
  const landings = [{ task: 2, base: "main", commit: other, from, to }];
  const explained = async () => ({ landings, worked: [] });
  expect((await workSince(began, workspace, { explained }))?.findings).toEqual([]);
  // A merge that began elsewhere explains nothing.
  const gap = async () => ({
    landings: [{ task: 2, base: "main", commit: other, from: to, to }],
    worked: [],
  });
  expect((await workSince(began, workspace, { explained: gap }))?.findings).toMatchObject([
    { kind: "outside" },
  ]);
});

test("where a test is taken out whole with its folder, or the file is no JSON any more, it is found", async () => {
  const { began, run, folder, workspace } = await given();
  rmSync(join(folder, "test"), { recursive: true });
  writeFileSync(join(folder, "package.json"), "{");
  run("true");
  const found = (await workSince(began, workspace, { explained: NOTHING }))?.findings ?? [];
  expect(found).toMatchObject([{ kind: "checks_changed", paths: ["package.json", "test/add.test.js"] }]);
});

test("in a project that is a folder of its repository, the same is found", async () => {
  const { folder, root, run } = await given();
  const workspace = openWorkspace(join(folder, "src"), freshFolder(), []);
  const start = await workspace.look();
  if (!start) throw new Error("The worktree cannot be looked at.");
  const own = { task: 1, root: join(root, "src"), base: "main", fork: undefined };
  const checks = { protect: ["checks/**"], folder: ".", makes: [], commands: ["sh ../verify.sh"] };
  const began = await beginningOf(workspace, start, { own, checks });
  const finds = async () => (await workSince(began, workspace, {}))?.findings ?? [];
  run("echo '// more' >> src/add.js");
  expect(await finds()).toEqual([]);
  run("echo {} >> checks/schema.json; echo 1 >> verify.sh");
  expect(await finds()).toMatchObject([
    { kind: "checks_changed", paths: ["checks/schema.json", "verify.sh"] },
  ]);
  run("rm .git");
  expect(await finds()).toMatchObject([{ kind: "gone", says: expect.stringContaining("no longer exists") }]);
  run("git init -q");
  expect(await finds()).toMatchObject([{ kind: "gone" }, { kind: "left_behind" }]);
});
