import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../src/project.ts";

/** An empty folder that is removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  // A server that a test has started may still write while its folder is removed: try again.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

/** A project with a feature and a discipline `general`, in a folder that is removed after the test. */
export async function freshProject(): Promise<{ project: Project; folder: string; db: string }> {
  const folder = freshFolder();
  await initProject(folder);
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  return { project, folder, db: readModelPathIn(folder) };
}
