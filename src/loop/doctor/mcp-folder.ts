import type Database from "better-sqlite3";
import { outOfDate } from "../../mcp/generating/regenerate.ts";
import { clientFolderOf } from "../../mcp/launching/client-server.ts";
import { type Discipline, viewDiscipline } from "../../queries/catalogue.ts";
import { question } from "../../read-model/question.ts";
import { type Check, ok, skipped, warning } from "./check.ts";
import { allIn, atHead, BEHIND, unreadable } from "./read-model.ts";

const NAME = "mcp folder";

/** Whether `.ralph/mcp/` matches the output of `signalbox regenerate`. */
export const mcpFolderCheck: Check = {
  name: NAME,
  async look({ readModelPath }) {
    if (readModelPath === undefined) return [skipped(NAME, "there is no project")];
    try {
      const disciplines = await atHead(readModelPath, disciplinesIn);
      if (!disciplines) return [skipped(NAME, BEHIND)];
      const names = outOfDate(readModelPath, disciplines);
      const folder = clientFolderOf(readModelPath);
      if (names.length === 0) return [ok(NAME, `${folder} is up to date`)];
      const found = `${folder} is out of date: ${names.join(", ")}`;
      return [warning(NAME, found, "Run `signalbox regenerate`.")];
    } catch (error) {
      return [unreadable(NAME, error)];
    }
  },
};

function disciplinesIn(database: Database.Database): readonly Discipline[] {
  return allIn(database, DISCIPLINES, {}).map(viewDiscipline);
}

const DISCIPLINES = question()((tables) => tables.selectFrom("disciplines").selectAll());
