import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportHistory, importHistory } from "../../../../src/history/time-travel/history/carry.ts";
import { findHistoryFile } from "../../../../src/history/time-travel/history/history-file.ts";
import { ralphFolderOf } from "../../../../src/lib/project-folder.ts";
import { useChild } from "../../../children.ts";
import { freshFolder } from "../../../support/project.ts";
import { emptyPlace } from "../given.ts";
import { givenLogFile, historyOf, makeWhole } from "./given.ts";

/* Catches: the file of a killed import that stays for good, and an import that takes away the file of another one. */

const startImport = useChild("test/replay/time-travel/history/children/import-until-killed.ts");

test("the next write to the folder removes the files of a killed import, and keeps those of a running one", async () => {
  const { log, path } = await givenLogFile();
  const history = historyOf(log, path);
  await makeWhole(history);
  const file = join(freshFolder(), "shop.history");
  const { position } = await exportHistory(path, file);
  history.close();

  const { path: readModelPath } = emptyPlace();
  const [killed, running] = [startImport(file, readModelPath), startImport(file, readModelPath)];
  for (const child of [killed, running]) expect(await child.says()).toBe("copied");
  expect(unfinishedIn(readModelPath, killed.process.pid)).toHaveLength(1);
  await killed.kill();
  findHistoryFile(readModelPath);
  expect(unfinishedIn(readModelPath, killed.process.pid)).toEqual([]);
  expect(unfinishedIn(readModelPath, running.process.pid)).toHaveLength(1);
  await running.kill();
  expect(await importHistory(file, { log, readModelPath })).toEqual({ position });
  expect(readdirSync(join(ralphFolderOf(readModelPath), "history"))).toHaveLength(1);
});

function unfinishedIn(readModelPath: string, pid: number | undefined): string[] {
  return readdirSync(join(ralphFolderOf(readModelPath), "history")).filter((name) =>
    name.includes(`-${pid}-`),
  );
}
