import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { configPathOf } from "../../src/config/config-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import { faultsIn } from "../../src/config/faults.ts";
import { projectState } from "../../src/config/project-state.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { traceOf } from "../../src/events/sqlite-in-place.ts";
import { initProject, openProject, type Project, readModelPathIn } from "../../src/project/project.ts";

/** An empty folder that is removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  // A server that a test has started may still write while its folder is removed: try again.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

/** A project with a feature and a discipline `general`, by default in a folder that is removed after the test. */
export async function freshProject(
  folder = freshFolder(),
): Promise<{ project: Project; folder: string; db: string }> {
  begun ??= begin();
  if (existsSync(join(folder, ".ralph"))) await initProject(folder);
  else write(folder, await begun);
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  return { project, folder, db: readModelPathIn(folder) };
}

/** A folder with a project that began by itself, so that its log is another one than that of every other. */
export async function anotherFolder(): Promise<string> {
  const folder = freshFolder();
  await initProject(folder);
  return folder;
}

/** What `init` makes, made once in a process: it syncs a dozen times. All projects that come of it have one first event. */
let begun: Promise<readonly Entry[]> | undefined;

interface Entry {
  readonly path: string;
  readonly mode: number;
  /** Absent: a folder. */
  contentIn?(folder: string): Buffer | string;
}

async function begin(): Promise<readonly Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  try {
    await initProject(folder);
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path): Entry => {
        const stat = statSync(join(folder, path));
        if (!stat.isFile()) return { path, mode: stat.mode };
        const content = readFileSync(join(folder, path));
        // What is generated for clients names the project's own path.
        if (!path.startsWith(".ralph/mcp/")) return { path, mode: stat.mode, contentIn: () => content };
        return { path, mode: stat.mode, contentIn: (other) => content.toString().replaceAll(folder, other) };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder: string, entries: readonly Entry[]): void {
  for (const { path, mode, contentIn } of entries) {
    if (contentIn) writeFileSync(join(folder, path), contentIn(folder), { mode });
    else mkdirSync(join(folder, path), { mode });
  }
  trustFile(readModelPathIn(folder));
}

/** Copies a project to where it is known: a copy is another project, from which nothing runs. */
export function copyProject(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  trustFile(existsSync(join(to, ".ralph")) ? readModelPathIn(to) : join(to, "ralph.db"));
}

/** Lets a log's file be known as it is, without opening it. */
export function trustFile(readModelPath: string): void {
  const path = logPathBeside(readModelPath);
  if (!existsSync(path)) return;
  // SQLite's schema cookie (file format, 1.3.9).
  const file = `${traceOf(path)} ${readFileSync(path).readUInt32BE(40)}`;
  projectState(readModelPath).write("log.json", JSON.stringify({ size: 0, whole: [], file }));
}

/** Works in a project of a folder as a program does that starts, and ends. */
export async function reopened<T>(folder: string, work: (project: Project) => Promise<T>): Promise<T> {
  const project = await openProject(folder);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

/** Writes a project's configuration, and confirms it as `signalbox config trust` does; one with a fault it would not. */
export function givenConfig(folder: string, config: unknown): void {
  writeConfig(folder, JSON.stringify(config));
  if (faultsIn(config).length === 0) confirmConfig(inspectConfig(readModelPathIn(folder)));
}

/** Writes what nobody has confirmed, as git would bring it. */
export function writeConfig(folder: string, text: string): void {
  const path = configPathOf(readModelPathIn(folder));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
