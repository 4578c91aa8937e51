import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { complete } from "../../src/cli/completion/candidates.ts";
import { scripts } from "../../src/cli/completion/scripts.ts";
import { splitLine } from "../../src/cli/completion/split-line.ts";
import { completed } from "../../src/cli/program.ts";
import { EVIL, givenNames } from "../support/completion.ts";

/* Catches: a word that cannot stand there, a name of an agent that a shell would run, a write by a Tab. */
const values = async (line: string) => {
  const { words, current } = splitLine(line, "");
  const { candidates, paths } = await complete(completed, words, current);
  return paths ?? candidates.map(({ value }) => value);
};

test("commands, subcommands, options and their fixed choices are completed, hidden ones are not", async () => {
  expect(await values("signalbox pro")).toEqual(["progress", "prompt", "project", "prove"]);
  expect(await values("signalbox snap")).toEqual([]);
  expect(await values("signalbox help tas")).toEqual(["task"]);
  expect(await values("signalbox --v")).toEqual(["--version"]);
  expect(await values("signalbox task s")).toEqual(["show", "set"]);
  expect(await values("signalbox task add x --prio")).toEqual(["--priority"]);
  expect(await values("signalbox task add x --priority ")).toEqual(["critical", "high", "medium", "low"]);
  expect(await values("signalbox task add --priority=h")).toEqual(["--priority=high"]);
  expect(await values("signalbox task set 1 --status d")).toEqual(["draft", "done"]);
  expect(await values("signalbox completion ")).toEqual(["bash", "zsh", "fish", "powershell"]);
  expect(await values("signalbox launch br")).toEqual(["braindump"]);
  expect(await values("signalbox tasc sh")).toEqual([]);
  expect(await values("signalbox task add -- --prio")).toEqual([]);
});

test("paths are left to the shell", async () => {
  expect(await values("signalbox init ")).toBe("folders");
  expect(await values("signalbox backup ")).toBe("files");
  expect(await values("signalbox status --db ")).toBe("files");
});

test("tasks, sessions, features and agents are those of the project, and what they mean is on one line", async () => {
  const { folder, db } = await givenNames();
  const before = readFileSync(db);
  expect(await values(`signalbox task show --db ${db} `)).toEqual(["2", "1"]);
  expect(await values(`signalbox task add x --db ${folder} --depends-on 7,`)).toEqual(["7,2", "7,1"]);
  expect(await values(`signalbox session show --db ${db} s:o`)).toEqual(["s:one"]);
  expect(await values(`signalbox task list --db ${db} --feature `)).toEqual(["general", `zeta ${EVIL}`]);
  expect(await values(`signalbox task list --db ${db} --discipline=g`)).toEqual(["--discipline=general"]);
  expect(await values(`signalbox run --db ${db} --agent c`)).toEqual(["claude", "codex"]);
  expect(await values(`signalbox inbox resolve --db ${db} `)).toEqual([]);
  const { candidates } = await complete(completed, ["task", "show", "--db", db], "1");
  expect(candidates[0]?.meaning).toBe(`in_progress: Colon: a\u001b[2Jb ${EVIL}`);
  expect(readFileSync(db).equals(before)).toBe(true);
});

test("a line is split as Bash splits it, whether its quotes are closed or not", () => {
  expect(splitLine("A=1 signalbox task  show 'a b' c\\ d \"e\\\"f", ":=")).toEqual({
    words: ["task", "show", "a b", "c d"],
    current: 'e"f',
    kept: 0,
  });
  expect(splitLine("signalbox x --feature=a:b", ":=")).toMatchObject({ current: "--feature=a:b", kept: 12 });
  expect(splitLine("signalbox x 'a:b", ":=")).toMatchObject({ current: "a:b", kept: 0 });
  expect(splitLine("signalbox ", "")).toEqual({ words: [], current: "", kept: 0 });
});

test("PowerShell's script evaluates nothing that it is given, and quotes what it inserts", () => {
  const { powershell } = scripts;
  expect(powershell).toContain("EscapeSingleQuotedStringContent($value)");
  // Only the line by which it is installed names it.
  expect(
    powershell.split("\n").filter((line) => /Invoke-Expression|\biex\b|\[scriptblock\]/i.test(line)),
  ).toEqual(["#   signalbox completion powershell | Out-String | Invoke-Expression"]);
});
