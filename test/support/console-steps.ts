import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "./project.ts";

/** A command that a page shows, and what it is said to print. */
interface Step {
  command: string;
  output: string;
}

/**
 * What each step prints in one shell, as a terminal shows it, with folders of this test in place of those that the text
 * names.
 *
 * @param home by default a new one, in which nothing is confirmed
 */
export function printedBy(
  steps: readonly Pick<Step, "command">[],
  folders: Readonly<Record<string, string>>,
  home = freshFolder(),
): readonly string[] {
  const script = `exec 2>&1\n${steps.map(({ command }) => `${command}\necho ${MARK}\n`).join("")}`;
  const inOurs = Object.entries(folders).reduce(
    (text, [named, ours]) => text.replaceAll(named, ours),
    script,
  );
  const { stdout } = spawnSync("bash", {
    input: inOurs,
    encoding: "utf8",
    env: { PATH: `${packagePath("bin")}${delimiter}${process.env.PATH}`, HOME: home },
  });
  const asNamed = Object.entries(folders).reduce(
    (text, [named, ours]) => text.replaceAll(ours, named),
    stdout,
  );
  return asNamed.split(`${MARK}\n`).slice(0, -1);
}

/**
 * What the console blocks of a page show, and what their commands print in a new project, both but for times.
 *
 * @param given commands that make of the project what the page says of it
 */
export function printedOnPage(
  page: string,
  given: readonly string[],
): { readonly shown: readonly string[]; readonly printed: readonly string[] } {
  const steps = stepsOnPage(page);
  const before = [`cd ${freshFolder()} && signalbox init`, ...given].map((command) => ({ command }));
  return {
    shown: steps.map(({ command, output }) => `$ ${command}\n${withoutTimes(output)}`),
    printed: printedBy([...before, ...steps], {})
      .slice(before.length)
      .map((output, place) => `$ ${steps[place]?.command}\n${withoutTimes(output)}`),
  };
}

/** The steps of all console blocks of a page. */
export function stepsOnPage(page: string): Step[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => stepsOf(block));
}

/** Without times, without what called a command, and without the blanks that fill a table's last column. */
export function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "(time)")
    .replace(/(?<= · |human \()(terminal [\w/]+, \w+|program \w+)/g, "(channel)")
    .replace(/ +$/gm, "");
}

/** The steps of a block on a page: a command begins with `$ `, a here-document goes on to its end, the rest is what was printed. */
export function stepsOf(block: string): Step[] {
  const steps: Step[] = [];
  let until: string | undefined;
  for (const line of block.split("\n").slice(0, -1)) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) {
      steps.push({ command: line.slice(2), output: "" });
      until = /<<'(\w+)'/.exec(line)?.[1];
    } else if (last && until !== undefined) {
      last.command += `\n${line}`;
      if (line === until) until = undefined;
    } else if (last) {
      last.output += `${line}\n`;
    }
  }
  return steps;
}

const MARK = "@@@";
