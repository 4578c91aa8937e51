import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

const page = readFileSync(packagePath("docs/architecture.md"), "utf8");

test("every file that the map of families names is there", () => {
  const [, table = ""] = /## Where each thing is\n[\s\S]*?\n(\|[\s\S]*?)\n\n/.exec(page) ?? [];
  const [head = [], , ...rows] = table.split("\n").map((row) => row.split("|").slice(1, -1));
  expect(rows.length).toBeGreaterThan(8);
  const rooms = head.map((cell) => cell.replaceAll("`", "").trim());
  const missing = rows.flatMap((cells) =>
    cells.flatMap((cell, index) => {
      const room = rooms[index] ?? "";
      let folder = "";
      return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = ""]) => {
        // A name may stand in the folder of the one before it.
        const places = [name, posix.join(folder, name)].map((path) => posix.join(room, path));
        if (name.includes("/")) folder = posix.dirname(name);
        const isThere = places.some((path) =>
          [path, posix.join("src", path)].some((at) => existsSync(packagePath(at))),
        );
        return isThere ? [] : [`${room}: ${name}`];
      });
    }),
  );
  expect(missing).toEqual([]);
});
