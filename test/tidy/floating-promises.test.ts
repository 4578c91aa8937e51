// @module-tag slice
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a promise whose failure nobody hears of, because `npm run check` no longer looks for it. */

const biome = packagePath("node_modules/@biomejs/biome/bin/biome");

/** What `biome lint` says of a file, by the project's own rules. */
function lint(text: string): string {
  const folder = freshFolder();
  const config = JSON.parse(readFileSync(packagePath("biome.json"), "utf8"));
  const { linter } = config;
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ linter }));
  writeFileSync(join(folder, "port.ts"), "export interface Port {\n  close(): Promise<void>;\n}\n");
  writeFileSync(join(folder, "leave.ts"), text);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", "--reporter=github", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

test.each([
  ["a call that nobody waits for", "port.close();", "noFloatingPromises"],
  ["a promise taken for its answer", 'if (port.close()) throw new Error("open");', "noMisusedPromises"],
])("npm run check finds %s", (_what, line, rule) => {
  const text = (statement: string) =>
    `import type { Port } from "./port.ts";\n\nexport async function leave(port: Port): Promise<void> {\n  ${statement}\n}\n`;
  expect(lint(text(line))).toContain(rule);
  expect(lint(text("await port.close();"))).not.toContain(rule);
});

/*
 * Biome resolves no module of Node itself, so it takes no promise of theirs for one. Their names are all imported one by one, so a
 * call that begins a statement is seen by its text.
 */
test("no promise of Node's own functions is left floating, nor its module taken under a name that hides them", () => {
  const files = ["src", "adapters", "test", "bench", "scripts"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes("node_modules/"))
      .map((file) => join(folder, file)),
  );
  const found = files
    .filter((file) => !file.endsWith("floating-promises.test.ts"))
    .flatMap((file) => floating(readFileSync(packagePath(file), "utf8")).map((line) => `${file}: ${line}`));
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});

test.each([
  ['import { writeFile } from "node:fs/promises";\nwriteFile("a", "b");', 'writeFile("a", "b");'],
  ['import { setTimeout as delay } from "node:timers/promises";\n{\n  delay(1);\n}', "delay(1);"],
  ['import { once, on } from "node:events";\n// A wait\nonce(child, "exit");', 'once(child, "exit");'],
  ['import { promisify } from "node:util";\nconst run = promisify(execFile);\nrun("ls");', 'run("ls");'],
  ['import * as fs from "node:fs/promises";', 'import * as fs from "node:fs/promises";'],
  ['import { promises } from "node:fs";', 'import { promises } from "node:fs";'],
])("the call in %j is found", (text, line) => {
  expect(floating(text)).toEqual([line]);
  expect(floating(text.replace(line, `await ${line}`))).toEqual([]);
});

/** The lines that leave a promise of Node's own functions alone, or hide where one comes from. */
function floating(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const hidden = lines.filter((line) =>
    /^import (?:(?!\{|type ).* from "node:[a-z]+\/promises"|\{.*\bpromises\b.*from "node:)/.test(line),
  );
  const imported = [...text.matchAll(/^import \{([^}]+)\} from "node:[a-z]+\/promises"/gm)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.split(" as ").at(-1)?.trim() ?? "");
  const promisified = [...text.matchAll(/^const (\w+) = promisify\(/gm)].map(([, name = ""]) => name);
  const once = /^import \{[^}]*\bonce\b[^}]*\} from "node:events"/m.test(text) ? ["once"] : [];
  const names = new Set([...imported, ...promisified, ...once]);
  const statements = lines.filter((line, index) => {
    const [, name = ""] = /^(\w+)\(/.exec(line) ?? [];
    return (
      names.has(name) && !line.includes("): Promise<") && /^$|^\/\/|[;{}/]$/.test(lines[index - 1] ?? "")
    );
  });
  return [...hidden, ...statements];
}
