import { readFileSync } from "node:fs";
import { packagePath } from "../../src/lib/package-root.ts";

/** What the README has a newcomer type: the command that installs signalbox, and those in the newcomer's repository. */
export function firstMinutes(): { readonly install: string; readonly inRepository: readonly string[] } {
  const readme = readFileSync(packagePath("README.md"), "utf8");
  const [, block = ""] = /\n## Claude Code and a repository\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const [install = "", enter = "", ...inRepository] = block.trimEnd().split("\n");
  if (!enter.startsWith("cd "))
    throw new Error("The README's second command no longer enters the repository.");
  return { install, inRepository };
}
