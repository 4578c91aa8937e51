import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/* Catches: an adapter that leans on the core beside its list of ports, and a core that leans on an adapter beside its table. */

/** Where the core names adapters, and what for. */
const TABLES: Readonly<Record<string, string>> = {
  "src/adapters.ts": "all that is loaded when it is wanted",
  "src/loop/agent/clients.ts": "clients of agents, whose lines are parsed at once",
};

/** Which adapter may import another one, and why. */
const NEIGHBOURS: Readonly<Record<string, string>> = {};

const files = new Map(
  ["src", "adapters"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [join(folder, file), readFileSync(packagePath(join(folder, file)), "utf8")] as const),
  ),
);

test("an adapter imports the core by its core.ts alone, the core an adapter by its table, and no adapter another one", () => {
  expect(wrongImports(files)).toEqual([]);
});

test.each([
  [
    "an adapter's file that imports the core",
    "adapters/telemetry/send.ts",
    'import type { A } from "../../src/lib/a.ts";',
  ],
  [
    "an adapter's list of ports that imports the table",
    "adapters/telemetry/core.ts",
    'export { adapters } from "../../src/adapters.ts";',
  ],
  [
    "an adapter's list of ports that imports a command",
    "adapters/telemetry/core.ts",
    'export { a } from "../../src/cli/a.ts";',
  ],
  ["a list of ports that does anything else", "adapters/telemetry/core.ts", "export const a = 1;"],
  [
    "a file of the core that imports an adapter",
    "src/loop/run.ts",
    'await import("../../adapters/page/server/serve.ts");',
  ],
  [
    "a type of an adapter in the core",
    "src/loop/run.ts",
    'import type { A } from "../../adapters/page/server/serve.ts";',
  ],
  [
    "an adapter that imports another one",
    "adapters/telemetry/send.ts",
    'import { a } from "../page/server/a.ts";',
  ],
])("%s is found", (_what, file, line) => {
  expect(wrongImports(new Map([[file, `${line}\n`]]))).toEqual([expect.stringContaining(file)]);
  expect(wrongImports(new Map([["adapters/telemetry/send.ts", 'import { a } from "./core.ts";\n']]))).toEqual(
    [],
  );
});

test("each adapter has a page, which leads to its ports and names files that are there", () => {
  const wrong = readdirSync(packagePath("adapters")).flatMap((name) => {
    const folder = packagePath(join("adapters", name));
    const page = join(folder, "README.md");
    if (!existsSync(page)) return [`adapters/${name} has no README.md`];
    const text = readFileSync(page, "utf8");
    const ports = [...text.matchAll(/\]\(([^)]*core\.ts)\)/g)].map(([, path = ""]) => path);
    const named = [...text.matchAll(/`([a-z0-9/-]+\.ts)`/g)].map(([, path = ""]) => path);
    const known = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `/${path}`);
    return [
      ...(ports.length > 0 && ports.every((path) => existsSync(join(folder, path))) ? [] : ["core.ts"]),
      ...named.filter(
        (path) => !existsSync(packagePath(path)) && !known.some((file) => file.endsWith(`/${path}`)),
      ),
    ].map((path) => `adapters/${name}/README.md: ${path}`);
  });
  expect(wrong).toEqual([]);
});

/** What is above the adapters: they are started by it. */
const ABOVE = /^src\/cli\/|^src\/(index|open|adapters)\.ts$/;

function wrongImports(all: ReadonlyMap<string, string>): string[] {
  return [...all].flatMap(([file, text]) => {
    const [root, adapter] = file.split("/");
    const ports = root === "adapters" && file.endsWith("/core.ts");
    const wrong = importsOf(file, text).filter((target) => {
      if (root === "src") return target.startsWith("adapters/") && TABLES[file] === undefined;
      if (target.startsWith("src/")) return !ports || ABOVE.test(target);
      return (
        !target.startsWith(`adapters/${adapter}/`) &&
        NEIGHBOURS[`${adapter} → ${target.split("/")[1]}`] === undefined
      );
    });
    const more =
      ports && /^(?!export (?:type )?\{|\}| {2}|\/\*\*| \*|$)/m.test(text)
        ? [`${file} has more than ports`]
        : [];
    return [...wrong.map((target) => `${file} → ${target}`), ...more];
  });
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map((match) =>
    join(dirname(file), match[1] ?? match[2] ?? ""),
  );
}
