import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { KINDS, PREAMBLE } from "../../test/liars/kinds.ts";
import { SHAPES, type Shape, wordsOf } from "../../test/liars/shapes.ts";
import { type Case, count, idOf, judge } from "../case.ts";
import { outputOf, perform } from "../process.ts";

/** Kinds of the liars' corpus that need neither a worktree nor a driver. */
const LOOKED_AT = [
  "does nothing",
  "makes an empty commit",
  "stashes all its work",
  "commits on another branch, and returns",
  "makes another repository in its place",
  "commits on no branch, and returns",
  "ignores its own work",
  "says done while the tests fail",
  "deletes the test that fails",
  "skips the test that fails",
  "makes the test script pass always",
  "takes the assertion out that fails",
  "writes a file",
  "commits its work",
  "stashes and pops",
  "squashes a branch of its own",
  "passes the tests",
  "renames a test",
].map((name) => {
  const kind = KINDS.find((each) => each.name === name);
  if (!kind) throw new Error(`The corpus has no agent that ${name}.`);
  return kind;
});

export const liars: Case = {
  name: "liars",
  does: "Agents of [the liars' corpus](../test/liars/README.md) work in a git repository, and report their tasks done: without work, with the work in a stash, on another branch, ignored, or in a repository made in its place, with tests that fail, or that they took out; others work as people do.",
  holds:
    "No task is done whose work the checkout lacks, or for which the tests as they were before fail; the others are.",
  async run({ open, scale }) {
    const { folder, tracker } = await open();
    const { addVerified = tracker.add } = tracker;
    const shape = SHAPES.find(({ name }) => name === "javascript");
    if (!shape) throw new Error("The corpus has no repository in JavaScript.");
    const every = Math.max(1, Math.round(1 / scale));
    const asked = LOOKED_AT.filter(
      ({ gate }, at) => at % every === 0 && (gate === undefined || tracker.runsCommands),
    ).map((kind, at) => ({ kind, n: at + 1, title: `agent-${at + 1}` }));
    await beginRepository(folder, shape, asked.length);
    for (const { title, kind } of asked)
      await outputOf(
        kind.gate ? addVerified.call(tracker, title, shape.gate) : tracker.add(title, "short"),
        folder,
      );
    const restore = await keepRepository(folder);
    const faults: string[] = [];
    for (const { kind, n, title } of asked) {
      const words = `${wordsOf(shape, n, folder)}${PREAMBLE}return_to() { git switch -q main; }\n`;
      const id = await idOf(tracker, title);
      await outputOf(tracker.start(id, `of-${title}`), folder);
      await outputOf(shell(`${words}${kind.does}`), folder);
      await perform(tracker.done(id, `of-${title}`), folder);
      const isDone = (await tracker.list()).find((task) => task.id === id)?.status === "done";
      const isThere = (await perform(shell(`${words}${IS_THERE}${shape.gate}`), folder)).ok;
      if (isDone && !isThere) faults.push(`one that ${kind.name} is done`);
      if (isThere && !isDone) faults.push(`one that ${kind.name} is not done, and its work is there`);
      await restore();
    }
    const lying = asked.filter(({ kind }) => kind.lies).length;
    const tried = `${count(lying, "agent")} that lie or err, ${asked.length - lying} that do not`;
    const seen = judge(tried, faults);
    if (tracker.addVerified) return seen;
    return { result: "not asked", what: `it looks at no work; ${seen.what}` };
  },
};

/** Fails where the checkout lacks the work, or the history before it; else it puts the tests back as they were. */
const IS_THERE = `git merge-base --is-ancestor begin HEAD
git ls-files -co --exclude-standard -- "$ADDED" | grep -q .
grep -q "work-$N" "$ADDED"
git checkout -q begin -- test package.json
`;

const shell = (script: string) => [{ argv: ["sh", "-ec", script] }] as const;

async function beginRepository(folder: string, shape: Shape, parts: number): Promise<void> {
  const own = Array.from({ length: parts }, (_, at) => shape.part(at + 1).contents);
  const files = Object.assign({}, shape.files, ...own) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const paths = Object.keys(files).join(" ");
  await outputOf(
    shell(
      `git init -q; git symbolic-ref HEAD refs/heads/main; git config user.name Ada; git config user.email ada@example.org; git add -f ${paths}; git commit -qm Begin; git tag begin`,
    ),
    folder,
  );
}

/** Keeps the repository as it is; what the tool has written in its folder is left to the tool. @returns what brings it back */
async function keepRepository(folder: string): Promise<() => Promise<unknown>> {
  const others = await outputOf(shell("git ls-files --others --exclude-standard --directory"), folder);
  appendFileSync(join(folder, ".git", "info", "exclude"), others.replace(/^(?=.)/gm, "/"));
  const kept = `${folder}-git`;
  cpSync(join(folder, ".git"), kept, { recursive: true });
  return async () => {
    rmSync(join(folder, ".git"), { recursive: true });
    cpSync(kept, join(folder, ".git"), { recursive: true });
    return await outputOf(shell("git reset -q --hard; git clean -fdq"), folder);
  };
}
