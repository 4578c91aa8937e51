import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import type { Finding, Place } from "../../src/loop/doctor/check.ts";
import { freshFolder } from "../support/project.ts";

export interface Installation extends Place {
  readonly folder: string;
  readonly readModelPath: string;
}

/** A project with nothing to mend: in a git repository with a commit, the agent on PATH. Nobody has it open. */
export async function givenInstallation(claude = "2.1.329 (Claude Code)"): Promise<Installation> {
  const folder = freshFolder();
  await initProject(folder);
  git(folder, "init", "-q");
  git(
    folder,
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@localhost",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "First",
  );
  writeFileSync(join(folder, ".gitignore"), ".ralph/\n");
  const bin = freshFolder();
  givenProgram(bin, "claude", claudeScript(claude));
  return {
    folder,
    cwd: folder,
    readModelPath: readModelPathIn(folder),
    noProject: "",
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, ...stateVariables(process.env) },
  };
}

/** A stand-in that answers what doctor asks Claude Code. */
function claudeScript(version: string, status = { loggedIn: true, authMethod: "claude.ai" }): string {
  return `if [ "$1" = auth ]; then echo '${JSON.stringify(status)}'; else echo '${version}'; fi`;
}

export function givenProgram(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** The findings that are not all right, as `name: state`. */
export function troubles(findings: readonly Finding[]): string[] {
  return findings.filter(({ state }) => state !== "ok").map(({ name, state }) => `${name}: ${state}`);
}

export function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, ...args]);
}

/** Every file below a folder with what it holds and when that changed; of a -shm, which readers note their places in, only that it is there. */
export function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((file) => {
      const path = join(folder, file);
      const { mtimeMs } = statSync(path);
      if (file.endsWith("-shm")) return file;
      const content = statSync(path).isDirectory()
        ? ""
        : createHash("sha256").update(readFileSync(path)).digest("hex");
      return statSync(path).isDirectory() ? file : `${file} ${mtimeMs} ${content}`;
    });
}

/** Where the log lies. */
export function logOf({ readModelPath }: Installation): string {
  return join(dirname(readModelPath), "events.db");
}

/** Changes a database as no program of ours would. */
export function onFile(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

/** Works on the project and lets go of it. */
export async function onProject(
  { folder }: Installation,
  work: (project: Awaited<ReturnType<typeof openProject>>) => Promise<unknown>,
): Promise<void> {
  const project = await openProject(folder);
  await work(project);
  await project.close();
}
