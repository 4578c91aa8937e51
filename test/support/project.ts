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
import { onTestFinished, vi } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../src/api/project.ts";
import { configPathOf } from "../../src/config/config-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import { faultsIn } from "../../src/config/faults.ts";
import { projectState } from "../../src/config/project-state.ts";
import { trustFile } from "./trust-file.ts";

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
  // Not under a clock of the test's own, by which others would begin, too.
  if (existsSync(join(folder, ".ralph")) || vi.isFakeTimers()) await initProject(folder);
  else {
    begun ??= begin();
    write(folder, await begun);
  }
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  return { project, folder, db: readModelPathIn(folder) };
}

/** A folder with a project whose log has a first event of its own. */
export async function anotherFolder(): Promise<string> {
  const folder = freshFolder();
  await initProject(folder);
  return folder;
}

/** The files that `init` makes, made once in a process, since it syncs a dozen times. All copies share their first event. */
let begun: Promise<Begun> | undefined;

interface Begun {
  readonly entries: readonly Entry[];
  /** What is known of its log, but for what tells its file. */
  readonly known: object;
}

interface Entry {
  readonly path: string;
  readonly mode: number;
  /** Absent: a folder. */
  contentIn?(folder: string): Buffer | string;
}

async function begin(): Promise<Begun> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  try {
    await initProject(folder);
    const { journal: _, ...known } = JSON.parse(
      projectState(readModelPathIn(folder)).read("log.json") ?? "{}",
    );
    const entries = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path): Entry => {
        const stat = statSync(join(folder, path));
        if (!stat.isFile()) return { path, mode: stat.mode };
        const content = readFileSync(join(folder, path));
        // What is generated for clients names the project's own path.
        if (!path.startsWith(".ralph/mcp/")) return { path, mode: stat.mode, contentIn: () => content };
        return { path, mode: stat.mode, contentIn: (other) => content.toString().replaceAll(folder, other) };
      });
    return { entries, known };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder: string, { entries, known }: Begun): void {
  for (const { path, mode, contentIn } of entries) {
    if (contentIn) writeFileSync(join(folder, path), contentIn(folder), { mode });
    else mkdirSync(join(folder, path), { mode });
  }
  trustFile(readModelPathIn(folder), known);
}

/** Copies a project to where it is known: a copy is another project, from which nothing runs. */
export function copyProject(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  trustFile(existsSync(join(to, ".ralph")) ? readModelPathIn(to) : join(to, "ralph.db"));
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
