import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { signalbox } from "../support/cli.ts";
import { EVIL, givenNames } from "../support/completion.ts";
import { freshFolder } from "../support/project.ts";
import { type OnTerminal, onTerminal } from "../support/terminal.ts";

/* Catches: a script that a shell cannot read, a name of an agent that a shell runs at Tab or at Enter, a line that breaks. */

/** The project's folder, with `signalbox` on PATH and the script of a shell in a file. */
async function given(shell: string) {
  const { folder } = await givenNames();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec ${process.execPath} ${packagePath("bin/signalbox.js")} "$@"\n`;
  writeFileSync(join(bin, "signalbox"), program, { mode: 0o755 });
  // What prints its arguments between brackets, to see what a completed line gives a program.
  writeFileSync(join(bin, "args"), `#!/bin/sh\nprintf '<%s>' "$@"\n`, { mode: 0o755 });
  const script = join(folder, `completion.${shell}`);
  writeFileSync(script, (await signalbox(["completion", shell])).stdout);
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C.UTF-8",
  };
  return { folder, script, place: { cwd: folder, env, columns: 160 } };
}

/** A command's name, and a hostile feature's as one argument. */
async function completesNames(shell: OnTerminal): Promise<void> {
  shell.type("signalbox statu\t");
  await shell.shows("signalbox status");
  shell.type("\u0015args task list --feature z\t; echo over-$?\r");
  expect(await shell.shows("over-0")).toContain(`<task><list><--feature><zeta ${EVIL}>`);
}

test("bash completes commands, tasks and names, and runs nothing of them", { tags: "script" }, async () => {
  const { folder, script, place } = await given("bash");
  const shell = onTerminal("bash --norc --noprofile -i", place);
  shell.type(`PS1='ready> '; source ${script}; complete -F _signalbox args\r`);
  await shell.shows("ready>");
  await completesNames(shell);
  shell.type("args session show s:o\t; echo over-$?\r");
  expect(await shell.shows("<s:one>over-0")).toContain("ready> args session show s:one ;");
  shell.type("args task show \t\t");
  expect(await shell.shows("Second)")).toContain("2  (in_progress: Second)");
  shell.type("\u0015args task show 2\t; echo over-$?\r");
  await shell.shows("<task><show><2>over-0");
  shell.type(`args backup comp\t; echo over-$?\r`);
  await shell.shows("<backup><completion.bash>over-0");
  expect(existsSync(join(folder, "pwned"))).toBe(false);
});

test("zsh completes commands, tasks and names, and runs nothing of them", {
  tags: ["script", "zsh"],
}, async () => {
  const { folder, script, place } = await given("zsh");
  const shell = onTerminal("zsh -f -i", place);
  shell.type(
    `PS1='ready> '; autoload -Uz compinit; compinit -u -D; source ${script}; compdef _signalbox args\r`,
  );
  await shell.shows("ready>");
  await completesNames(shell);
  shell.type("args session show s:o\t; echo over-$?\r");
  await shell.shows("<s:one>over-0");
  shell.type("args task show \t");
  expect(await shell.shows("Second")).toContain("2  -- in_progress: Second");
  shell.type("\u0015args backup comp\t; echo over-$?\r");
  await shell.shows("<backup><completion.zsh>over-0");
  expect(existsSync(join(folder, "pwned"))).toBe(false);
});

test("fish completes commands, tasks and names, and runs nothing of them", {
  tags: ["script", "fish"],
}, async () => {
  const { folder, script, place } = await given("fish");
  const line = (typed: string) => `complete -C '${typed}' | cat -v; echo over`;
  const run = async (code: string) => {
    writeFileSync(join(folder, "try.fish"), `source ${script}\n${code}\n`);
    return onTerminal("fish --no-config try.fish", place).shows("over");
  };
  expect(await run(line("signalbox statu"))).toMatch(/status\s+People/);
  const tasks = await run(line("signalbox task show "));
  expect(tasks).toMatch(/2\s+in_progress: Second/);
  expect(tasks).toContain("1");
  expect(await run(line("signalbox session show s:o"))).toContain("s:one");
  expect(await run(line("signalbox task list --feature z"))).toContain(`zeta ${EVIL}`);
  expect(await run(line("signalbox backup comp"))).toContain("completion.fish");
  expect(existsSync(join(folder, "pwned"))).toBe(false);
});

test("where there is no project, a Tab is silent and writes nothing", async () => {
  const cwd = freshFolder();
  const ran = await signalbox(["completion", "zsh", "--", "task", "show", "+"], { cwd });
  expect(ran).toEqual({ stdout: "none\n", stderr: "", exitCode: 0 });
  expect(existsSync(join(cwd, ".ralph"))).toBe(false);
});
