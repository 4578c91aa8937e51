import { statfsSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import Database from "better-sqlite3";

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: "ext4",
  16914836: "tmpfs",
  1481003842: "xfs",
  2435016766: "btrfs",
  2035054128: "overlay",
  801189825: "zfs",
};

export function fileSystemOf(path: string): string {
  const { type } = statfsSync(path);
  return FILE_SYSTEMS[type] ?? `type 0x${type.toString(16)}`;
}

/** What the figures were measured on, as Markdown. */
export function describeMachine(folder: string): string {
  const processors = cpus();
  const sqlite = new Database(":memory:");
  const version = sqlite.prepare("SELECT sqlite_version()").pluck().get();
  sqlite.close();
  return [
    `- ${processors[0]?.model ?? "unknown processor"}, ${processors.length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `- Linux ${release()}, node ${process.version}, SQLite ${version}`,
    `- files on ${fileSystemOf(folder)}`,
  ].join("\n");
}
