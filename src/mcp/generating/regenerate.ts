import { join } from "node:path";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { contentOf, writeIfChanged } from "../../lib/write-whole.ts";
import { listDisciplines } from "../../queries/catalogue.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { clientFolderOf } from "../launching/client-server.ts";
import { generatedFiles } from "./files.ts";
import type { DisciplineTools } from "./recipes-text.ts";

export interface Regenerated {
  readonly path: string;
  /** `same`: the content is unchanged, and the file was left alone. */
  readonly became: "written" | "same";
}

/**
 * Writes `.ralph/mcp/` for the project's current state: the same project gives the same bytes.
 * Other files in the folder stay.
 *
 * @throws LogError `disk`: the folder is a symbolic link; Error from the system
 */
export function regenerate(readModel: ReadModel, readModelPath: string): readonly Regenerated[] {
  const disciplines = readModel.snapshot(() => listDisciplines(readModel));
  const folder = clientFolderOf(readModelPath);
  makePrivateFolder(folder);
  return generatedFiles(readModelPath, disciplines).map(({ name, text }) => {
    const path = join(folder, name);
    return { path, became: writeIfChanged(path, text) ? "written" : "same" };
  });
}

/** The names of files that are missing or outdated. */
export function outOfDate(readModelPath: string, disciplines: readonly DisciplineTools[]): readonly string[] {
  const folder = clientFolderOf(readModelPath);
  return generatedFiles(readModelPath, disciplines)
    .filter(({ name, text }) => contentOf(join(folder, name)) !== text)
    .map(({ name }) => name);
}
