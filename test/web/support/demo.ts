import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openProject, type Project } from "../../../src/api/project.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { runCorpusInto } from "../../../src/replay/run.ts";
import { loadSimulations } from "../../../src/replay/simulation.ts";

/** The task of a demo with most to read, one of its sessions, and a learning. */
export async function subjectsOf({ queries }: Project) {
  const [row] = (await queries.sql(
    "SELECT task_id AS task, session_id AS session FROM signals GROUP BY task_id ORDER BY count(*) DESC LIMIT 1",
  )) as { task: number; session: string }[];
  const [learning] = (await queries.sql("SELECT id FROM learnings LIMIT 1")) as { id: number }[];
  if (!row || !learning) throw new Error("The demo has signals and learnings.");
  return { ...row, learning: learning.id };
}

/**
 * The project that `signalbox demo` makes, or one of a part of its corpus, once for all tests of a file, which leave it as it
 * is. To be called at the top of the file.
 *
 * @param batch of which simulations: `056`; absent: of all
 * @returns what gives the project
 */
export function useDemo(batch = ""): () => Project {
  let folder = "";
  let project: Project | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
    const simulations = loadSimulations([packagePath("fixtures/sims")]).filter(({ id }) =>
      id.startsWith(batch),
    );
    await runCorpusInto(folder, simulations, { inProcess: true }, () => {});
    project = await openProject(folder);
  });
  afterAll(async () => {
    await project?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (!project) throw new Error("The demo is there when a test runs.");
    return project;
  };
}
