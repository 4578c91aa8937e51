import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { contentOf, writeIfChanged } from "../../lib/write-whole.ts";
import { listDisciplines } from "../../queries/catalogue.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { clientFolderOf } from "../launching/client-server.ts";
import { FORMER_FILES, type GeneratedFile, generatedFiles } from "./files.ts";
import type { DisciplineTools } from "./recipes-text.ts";

export interface Regenerated {
  readonly path: string;
  /** `same`: the content is unchanged, and the file was left alone. */
  readonly became: "written" | "same" | "removed";
}

/**
 * Writes `.ralph/mcp/` for the project's current state: the same project gives the same bytes.
 * Other files in the folder stay.
 *
 * @throws LogError `disk`: the folder is a symbolic link; Error from the system
 */
export function regenerate(readModel: ReadModel, readModelPath: string): readonly Regenerated[] {
  const disciplines = readModel.snapshot(() => listDisciplines(readModel));
  return writeGenerated(clientFolderOf(readModelPath), generatedFiles(readModelPath, disciplines));
}

/** @param former names of our old files, removed unless written again */
export function writeGenerated(
  folder: string,
  files: readonly GeneratedFile[],
  former: readonly string[] = FORMER_FILES,
): readonly Regenerated[] {
  makePrivateFolder(folder);
  const written = files.map(({ name, text }): Regenerated => {
    const path = join(folder, name);
    return { path, became: writeIfChanged(path, text) ? "written" : "same" };
  });
  const gone = former
    .filter((name) => files.every((file) => file.name !== name))
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  for (const path of gone) rmSync(path);
  return [...written, ...gone.map((path): Regenerated => ({ path, became: "removed" }))];
}

/** The names of files that are missing or outdated. */
export function outOfDate(readModelPath: string, disciplines: readonly DisciplineTools[]): readonly string[] {
  const folder = clientFolderOf(readModelPath);
  return generatedFiles(readModelPath, disciplines)
    .filter(({ name, text }) => contentOf(join(folder, name)) !== text)
    .map(({ name }) => name);
}
