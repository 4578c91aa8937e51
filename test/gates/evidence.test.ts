import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alwaysPasses } from "../../src/events/types/gate-words.ts";
import { makeRepository } from "../loop/given-loop.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a gate that proves nothing and of which nobody is told so, and a warning about a gate that does. */

test("a command that passes whatever the work is is told from one that may fail", () => {
  const always = [
    "true",
    " : ",
    "exit 0",
    "exit",
    "echo done",
    "echo a && true",
    "npm test || true",
    "# later",
  ];
  const may = [
    "npm test",
    "exit 1",
    "echo a > b",
    "true && npm test",
    "set -e; a || true",
    "echo $(npm test)",
  ];
  const others = ["truely", "test -f a", "npm test || exit 1", "echo ok; npm test", "grep true || false"];
  expect(always.filter((command) => !alwaysPasses(command))).toEqual([]);
  expect([...may, ...others].filter(alwaysPasses)).toEqual([]);
});

const TRUE = "`true` always passes, so as a gate it proves nothing.";

/** A project with a repository, and its commands. */
async function given() {
  const { folder } = await freshProject();
  makeRepository(folder);
  const at = { cwd: folder };
  return {
    run: async (...args: string[]) => (await signalbox(args, at)).stdout,
    json: <T>(...args: string[]) => signalboxJson(args, at) as Promise<T>,
    file: (name: string, text: string) => writeFileSync(join(folder, name), text),
  };
}

test("where a gate is declared that always passes, its declarer is told at once", async () => {
  const { run } = await given();
  expect(await run("task", "add", "Export", "--verify", "true")).toContain(TRUE);
  expect(await run("task", "set", "1", "--verify", "true")).toContain(TRUE);
  expect(await run("task", "enrich", "1", "as said", "--verify", "true")).toContain(TRUE);
  expect(await run("gate", "add", "1", "--verify", "true")).toContain(TRUE);
  expect(await run("gate", "add", "1", "--verify", "npm test")).not.toContain("always passes");
});

test("at done, in task show and in the list of runs it is said of a gate that it proves nothing, changes files, or is not deterministic", async () => {
  const { run, json, file } = await given();
  await run("task", "add", "Export", "--verify", "true", "--verify", "echo x >> log");
  // A file that git ignores stands for the luck.
  file(".gitignore", "luck\n");
  await run("gate", "add", "1", "--verify", "test -f luck || { touch luck; exit 1; }");
  await run("session", "start", "1", "--session", "s-1");
  await run("gate", "run", "1", "3", "--session", "s-1");
  await run("gate", "run", "1", "3", "--session", "s-1");
  const { next } = await json<{ next: string }>("signal", "done", "--session", "s-1", "--summary", "Did it.");
  const runs = await json<{ id: number }[]>("gate", "runs", "1", "3");
  const [failed, passed] = runs.map(({ id }) => id);
  const unsteady = `failed (#${failed}), then passed (#${passed}) on the same files`;
  expect(next).toContain("Gate 1: always passes, proven: no.");
  expect(next).toContain("Gate 2: changes the files that it checks.");
  expect(next).toContain(`Gate 3: ${unsteady}.`);
  await run("session", "end", "s-1", "--exit", "exited");
  expect(await json("task", "show", "1")).toMatchObject({
    proof: {
      gates: [
        { state: "passed", proven: "no", evidence: "always passes, proven: no" },
        { state: "passed", proven: null, evidence: "changes the files that it checks" },
        { state: "passed", proven: null, evidence: unsteady },
      ],
    },
  });
  const shown = await run("task", "show", "1");
  expect(shown).toMatch(/verified {2}yes: gate 1 passed \(#\d+, files \w+; always passes, proven: no\)/);
  expect(await run("gate", "runs", "1", "3")).toContain(`passed, but run ${failed} failed on the same files`);
});
