import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { freshFolder } from "../support/project.ts";

/** A folder under git, and ways to change it. */
export function givenRepository(folder = join(realpathSync(freshFolder()), "work")) {
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const git = (...args: string[]) =>
    execFileSync("git", [...AS, ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  mkdirSync(folder, { recursive: true });
  git("init", "--quiet");
  return {
    folder,
    write,
    git,
    /** Commits all that is there. */
    commit() {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "-m", "All");
    },
    /** Writes a program that notes in `ran`, beside the folder, that it was run. */
    program(name: string, rest = ""): string {
      const path = join(folder, "..", name);
      writeFileSync(path, `#!/bin/sh\necho '${name}' >> '${join(folder, "..", "ran")}'\n${rest}\n`);
      chmodSync(path, 0o755);
      return path;
    },
    /** The file that the programs write. */
    ran: join(folder, "..", "ran"),
    /** One that has not looked yet. */
    workspace: () => openWorkspace(folder, freshFolder(), []),
  };
}

const AS = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"];
