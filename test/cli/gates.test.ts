import { expect, test } from "vitest";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/* Catches: a gate that the board has otherwise than it was written on the command line. */
async function given() {
  const { project, folder: cwd } = await freshProject();
  return {
    project,
    run: (...args: string[]) => signalbox(args, { cwd }),
    json: (...args: string[]) => signalboxJson(args, { cwd }),
  };
}

function gate(command: string, max_attempts: number, timeout_s: number) {
  return { command, max_attempts, timeout_s, state: "pending", attempts: 0 };
}

test("task add declares the gates and criteria of --gates after those of --verify and --criterion", async () => {
  const { json } = await given();
  const added = await json(
    ...["task", "add", "Export", "--gates", ':: verify:"npm test" :fast :: "follows standards"'],
    ...["--verify", "tsc -p .", "--criterion", "It is fast."],
    ...["--gates", ':: style:"two spaces" :: verify:"grep \\"a b\\" x" max:3 timeout:120'],
  );
  expect(added).toMatchObject({ criteria: ["It is fast.", "follows standards", "style: two spaces"] });
  expect(await json("gate", "list", "1")).toMatchObject([
    gate("tsc -p .", 5, 300),
    gate("npm test", 5, 30),
    gate('grep "a b" x', 3, 120),
  ]);
});

test("--verify-max and --verify-timeout are for every gate of --verify, and for none of --gates", async () => {
  const { json } = await given();
  await json(
    ...["task", "add", "Export", "--verify", "a", "--verify", "b", "--gates", ':: verify:"c"'],
    ...["--verify-max", "2", "--verify-timeout", "60"],
  );
  expect(await json("gate", "list", "1")).toMatchObject([
    gate("a", 2, 60),
    gate("b", 2, 60),
    gate("c", 5, 300),
  ]);
});

test.each([
  [["--verify", "a", "--verify-max", "0"], "It must be a whole number from 1 to 1000."],
  [["--verify", "a", "--verify-max", "1001"], "from 1 to 1000"],
  [["--verify", "a", "--verify-timeout", "601"], "It must be a whole number from 1 to 600."],
  [["--verify", "a", "--verify-timeout", "30s"], "from 1 to 600"],
  [
    ["--verify-max", "3"],
    "--verify-max applies to the gates of --verify, but there are none; in --gates write max:N",
  ],
  [["--verify-timeout", "3", "--gates", ':: verify:"a"'], "in --gates write timeout:N"],
  [["--gates", ""], "The text is empty; write a gate"],
  [["--gates", ':: verify:"a" max:0'], 'column 19:\n  :: verify:"a" max:0\n                    ^\nFound `0`'],
  [
    ["--gates", '>>export :: verify:"a"'],
    "Found a name; the task's title is a separate argument; begin with `::`",
  ],
  [
    ["--verify", "a", "--gates", ':: verify:"a"'.repeat(100)],
    "`gates` has 101 entries, at most 100 are allowed",
  ],
] as const)("task add %j is wrong usage, and nothing is recorded", async (options, message) => {
  const { run, project } = await given();
  const head = await project.log.head();
  const ran = await run("task", "add", "Export", ...options);
  expect(ran).toMatchObject({ ...fails(2, message), stdout: "" });
  expect(await project.log.head()).toBe(head);
});

test("gate parse prints the parsed gates, even without a project", async () => {
  const cwd = freshFolder();
  const text = '>>fix::verify:"npm test"  timeout:30 :: verify:"a\\nb" max:3 :: style:"two \u202espaces"';
  const line = '>>fix :: verify:"npm test" :fast :: verify:"a\\nb" max:3 :: "style: two \u202espaces"';
  expect(await signalboxJson(["gate", "parse", text], { cwd })).toEqual({
    line,
    name: "fix",
    gates: [
      { command: "npm test", max: 5, timeout_s: 30 },
      { command: "a\nb", max: 3, timeout_s: 300 },
    ],
    criteria: ["style: two \u202espaces"],
  });
  expect(await signalboxJson(["gate", "parse", ':: "x"'], { cwd })).toMatchObject({ name: null, gates: [] });
  const { stdout } = await signalbox(["gate", "parse", text], { cwd });
  const [first, _head, ...rows] = stdout.split("\n").map((row) => row.trimEnd());
  expect(first).toBe(line.replace("\u202e", "\\u{202e}"));
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ["gate", '"npm test"', "5", "30 s"],
    ["gate", '"a\\nb"', "3", "300 s"],
    ["criterion", '"style: two \\u{202e}spaces"'],
    [""],
  ]);
});

test("gate parse points at the first fault, with exit code 2", async () => {
  const cwd = freshFolder();
  const ran = await signalbox(["gate", "parse", ':: verify:"npm test" maxx:3', "--json"], { cwd });
  expect(ran).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: [
      "signalbox: The gates have a syntax error at column 22:",
      '  :: verify:"npm test" maxx:3',
      "                       ^",
      "`maxx:3` is not an option; did you mean `max:N`? [unknown_option]",
      "",
    ].join("\n"),
  });
});
