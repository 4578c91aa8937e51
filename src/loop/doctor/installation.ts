import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { z } from "zod";
import { packagePath } from "../../lib/package-root.ts";
import { type Check, type Finding, failed, ok, warning } from "./check.ts";

/** Whether the package supports this Node.js. */
export const nodeCheck: Check = {
  name: "node",
  look: () => [judgeNode(process.versions.node, requiredNode())],
};

/** @param range as in `engines` of package.json: `>=22.14` */
export function judgeNode(version: string, range: string): Finding {
  const found = `Node.js ${version} (required: ${range})`;
  const least = /^>=\s*(\d+(?:\.\d+)*)$/.exec(range)?.[1];
  if (least === undefined)
    return warning("node", found, `Compare them yourself: the range "${range}" is unknown.`);
  return isAtLeast(version, least)
    ? ok("node", found)
    : failed("node", found, `Install Node.js ${least} or newer, then \`npm ci\` again.`);
}

/** Compares dotted version numbers, as far as the second one goes. */
export function isAtLeast(version: string, least: string): boolean {
  const numbers = version.split(/[.-]/).map(Number);
  for (const [index, wanted] of least.split(".").map(Number).entries()) {
    const has = numbers[index] ?? 0;
    if (has !== wanted) return has > wanted;
  }
  return true;
}

/** Whether better-sqlite3's native module loads with this Node.js on this machine. */
export const sqliteCheck: Check = {
  name: "sqlite",
  look() {
    let database: Database.Database | undefined;
    try {
      database = new Database(":memory:");
      const version = database.prepare<[], string>("SELECT sqlite_version()").pluck().get();
      return [ok("sqlite", `SQLite ${version}, through better-sqlite3`)];
    } catch (cause) {
      const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
      const mend =
        "Install signalbox again on this machine: better-sqlite3 brings its binary for each platform.";
      return [failed("sqlite", `better-sqlite3 cannot be loaded: ${why}`, mend)];
    } finally {
      database?.close();
    }
  },
};

const packageJson = z.object({ engines: z.object({ node: z.string() }) });

function requiredNode(): string {
  return packageJson.parse(JSON.parse(readFileSync(packagePath("package.json"), "utf8"))).engines.node;
}
