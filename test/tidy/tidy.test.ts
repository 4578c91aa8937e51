import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";

/** The rules of style.md that a machine can hold. */
function filesBelow(folder: string): string[] {
  return readdirSync(packagePath(folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

const sources = filesBelow("src").filter((file) => /\.tsx?$/.test(file));
const tests = filesBelow("test").filter((file) => file.endsWith(".ts"));
const textOf = (file: string) => readFileSync(packagePath(file), "utf8");

/**
 * Which folders each folder of src may import from, besides itself, and who may import the TypeScript API (design.md, The
 * house). Any other file beside the folders may be imported where all that it imports may.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  events: [],
  projections: ["events"],
  decisions: ["projections", "events"],
  terminal: ["events"],
  operations: ["decisions", "terminal", "projections", "events"],
  config: ["events"],
  "state-files": ["projections", "events"],
  exchange: ["operations", "decisions", "projections", "events"],
  workspace: ["events"],
  gates: ["decisions", "workspace", "config", "projections", "events"],
  mcp: ["operations", "gates", "decisions", "state-files", "config", "projections", "events"],
  replay: ["operations", "mcp", "decisions", "state-files", "projections", "events"],
  telemetry: ["project.ts", "config", "projections", "events"],
  loop: [
    "project.ts",
    "operations",
    "telemetry",
    "mcp",
    "gates",
    "workspace",
    "decisions",
    "state-files",
    "config",
    "projections",
    "events",
  ],
  web: ["operations", "project.ts", "replay", "decisions", "projections", "events"],
  cli: [
    "project.ts",
    "operations",
    "terminal",
    "web",
    "telemetry",
    "loop",
    "replay",
    "mcp",
    "gates",
    "workspace",
    "exchange",
    "decisions",
    "state-files",
    "config",
    "projections",
    "events",
  ],
};

const folderOf = (file: string) => relative("src", file).split("/").slice(0, -1)[0];
const API = ["src/project.ts", "src/index.ts"];
/** What ARROWS knows a file by; undefined for one that counts as what it imports. */
const knownAs = (file: string) => (API.includes(file) ? relative("src", file) : folderOf(file));

test("arrows between the folders point one way, by way of files beside them too", () => {
  expect(wrongArrows(new Map(sources.map((file) => [file, textOf(file)])))).toEqual([]);
  expect(Object.keys(ARROWS).sort()).toEqual(
    [...new Set(sources.flatMap((file) => folderOf(file) ?? []))].sort(),
  );
});

test.each([
  [
    "a folder",
    { "src/events/log.ts": 'import { a } from "../cli/a.ts";' },
    "src/events/log.ts → src/cli/a.ts",
  ],
  [
    "the TypeScript API",
    { "src/events/log.ts": 'import { a } from "../project.ts";' },
    "src/events/log.ts → src/project.ts",
  ],
  [
    "a file beside the folders that imports one",
    {
      "src/events/log.ts": 'import { a } from "../words.ts";',
      "src/words.ts": 'import { b } from "./cli/b.ts";',
    },
    "src/events/log.ts → src/words.ts → src/cli/b.ts",
  ],
  [
    "a file beside the folders by way of another one",
    {
      "src/workspace/git.ts": 'const { a } = await import("../a.ts");',
      "src/a.ts": 'export * from "./b.ts";',
      "src/b.ts": 'import type { C } from "./a.ts";\nimport "./projections/c.ts";',
    },
    "src/workspace/git.ts → src/a.ts → src/b.ts → src/projections/c.ts",
  ],
])("an arrow in the wrong direction is found to %s", (_to, files, wrong) => {
  expect(wrongArrows(new Map(Object.entries(files)))).toEqual([wrong]);
});

/** What each file of a folder imports that its folder may not: a folder, or a file beside the folders with what that imports. */
function wrongArrows(files: ReadonlyMap<string, string>): string[] {
  return [...files.keys()].flatMap((file) => {
    const from = folderOf(file);
    if (from === undefined) return [];
    const isWrong = (to: string | undefined) =>
      to !== undefined && to !== from && !ARROWS[from]?.includes(to);
    return waysOut(files, [file])
      .filter((way) => isWrong(knownAs(way.at(-1) ?? "")))
      .map((way) => way.join(" → "));
  });
}

/** The ways from a file to what it imports that ARROWS knows, straight or through files beside the folders. */
function waysOut(files: ReadonlyMap<string, string>, way: readonly string[]): string[][] {
  const last = way.at(-1) ?? "";
  return importsOf(last, files.get(last) ?? "").flatMap((target) => {
    if (way.includes(target)) return [];
    const further = [...way, target];
    return knownAs(target) === undefined ? waysOut(files, further) : [further];
  });
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map((match) =>
    join(dirname(file), match[1] ?? match[2] ?? ""),
  );
}

test.each([
  [
    "time and randomness come in through parameters",
    /Date\.now|new Date\(\)|Math\.random|performance\.now/,
    ["src/events", "src/projections"],
  ],
  ["a worker keeps the order", /mergeMap/, ["src/events", "src/projections"]],
  ["no shell is started", /shell: true/, ["src"]],
  ["no type is switched off", /: any\b|\bas any\b|<any>|any\[\]/, ["src"]],
  ["no value is asserted to be there", /[\])A-Za-z0-9_]!([.;,)]|\[)/, ["src"]],
  // zod 4 wants the key of a field of any value, and says of an absent one what nobody understands.
  ["a field of any value may be absent", /^.*\w: z\.(unknown|any)\(\)(?!\.optional)/m, ["src"]],
  [
    "what zod finds is told in our words",
    /^(?!.*\binOurWords\b).*(\.issues\b|\{ ?issues ?\}|prettifyError|ZodError\b)/s,
    ["src"],
  ],
  [
    "what a command prints as JSON says no character that acts on a terminal",
    /(print|stdout\.write)\([^;(]*JSON\.stringify/,
    ["src/cli"],
  ],
  ["nothing is left to be done", /TODO|FIXME|XXX/, ["src"]],
])("%s", (_rule, pattern, folders) => {
  const own = "test/tidy/tidy.test.ts";
  const found = [...sources, ...tests]
    .filter((file) => file !== own && folders.some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => pattern.test(textOf(file)));
  expect(found).toEqual([]);
});

/** What asks none of the tables that the compiler knows, or writes its SQL by the tables' own declarations. */
const OF_OTHER_TABLES = [
  /^src\/(events|exchange|replay\/time-travel\/history)\//,
  /^src\/projections\/[^/]+\.ts$/,
  /^src\/loop\/doctor\/(installation|read-model)\.ts$/,
];
/** What is shown to people, who ask it themselves. */
const SHOWN = [
  /^src\/projections\/queries\/charts\//,
  /^src\/cli\/describe\/schemas\.ts$/,
  /^src\/web\/page\//,
];

test("the compiler checks what the read model is asked: no question is written out as SQL", () => {
  const others = [...OF_OTHER_TABLES, ...SHOWN];
  const written = sources.filter(
    (file) => !others.some((other) => other.test(file)) && /\bSELECT\s[^;]*\sFROM\s/.test(textOf(file)),
  );
  expect(written).toEqual([]);
});

test("git is started in one place, which keeps it from running what a repository names", () => {
  const starting = [
    "src/gates/runner/isolation.ts",
    "src/gates/runner/shell-process.ts",
    "src/loop/agent/process.ts",
    "src/loop/doctor/program.ts",
  ];
  const guarded = "src/workspace/git.ts";
  const found = sources.filter((file) => /child_process/.test(textOf(file)));
  expect(found.sort()).toEqual([...starting, guarded].sort());
  // A program's name as it is handed to whatever starts it: a word for itself, or the end of a path.
  const asProgram =
    /\b(?:\w*spawn|\w*exec|fork|run|find|start)\w*\(\s*(?:await\s+)?["'`](?:[^"'`\s]*\/)?git(?:["'`\s])/i;
  expect(sources.filter((file) => file !== guarded && asProgram.test(textOf(file)))).toEqual([]);
  expect(asProgram.test(textOf(guarded))).toBe(true);
});

test("folders are made in one place, which follows no symbolic link", () => {
  const making = sources.filter((file) => /\bmkdir(Sync)?\(/.test(textOf(file)));
  expect(making).toEqual(["src/private-folder.ts"]);
});

test("a configuration that nobody may have confirmed is read to show it alone", () => {
  const showing = [
    "src/cli/commands/config.ts",
    "src/cli/commands/prompt.ts",
    "src/cli/prompt-line.ts",
    "src/config/config.ts",
    "src/config/confirmed.ts",
    "src/index.ts",
    "src/loop/doctor/config.ts",
  ];
  const reading = /\b(readConfig|readConfigFile|configIn|inspectConfig|configPathOf)|"config\.json"\)/;
  // What an agent may do is asked once, and the answer written into a configuration that somebody has confirmed.
  const asking = ["src/cli/ask-permissions.ts", "src/cli/commands/init.ts"];
  const starting = ["src/cli/confirm-config.ts", "src/cli/commands/config-trust.ts"];
  expect(sources.filter((file) => reading.test(textOf(file))).sort()).toEqual(
    [...showing, ...asking, ...starting].sort(),
  );
});

test("no test is skipped for good or run alone", () => {
  expect(tests.filter((file) => /\b(test|it|describe)\.(only|skip|todo)\(/.test(textOf(file)))).toEqual([]);
});

/** Written by a program alone, from definitions in src; `vitest -u` may write them anew, and nothing else. */
const GENERATED = /^(docs\/(events\.md|tools\.md|config\.schema\.json)|test\/mcp\/lists\/.+\.json)$/;

test("vitest -u rewrites nothing that a person wrote", () => {
  const rewritten = tests
    .filter((file) => file !== "test/tidy/tidy.test.ts")
    .flatMap((file) => {
      const text = textOf(file);
      const [, ...calls] = text.split(/toMatch\w*Snapshot|toThrowErrorMatching\w*Snapshot/);
      return calls.map((rest) => {
        const [, name] = /^\(\s*["`]([^"`]+)["`]/.exec(rest) ?? [];
        return name === undefined ? `${file}: a snapshot` : join(dirname(file), name);
      });
    });
  expect(rewritten.length).toBeGreaterThan(3);
  expect(
    rewritten.filter((file) => !GENERATED.test(file)),
    "compare with what was read from the file, by toBe; only a page that a program writes whole is a snapshot",
  ).toEqual([]);
});

test("files are named in kebab-case, and none is longer than 400 lines", () => {
  expect(sources.filter((file) => !/^[a-z0-9/.-]+\.tsx?$/.test(file))).toEqual([]);
  expect(sources.filter((file) => textOf(file).split("\n").length > 400)).toEqual([]);
});

test("every definition of an event is listed once, and its example is legal", async () => {
  const { eventDefinitions } = await import("../../src/events/types/index.ts");
  const types = eventDefinitions.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const definition of eventDefinitions) {
    expect(definition.payload.safeParse(definition.example).success, definition.type).toBe(true);
    expect(definition.type).toMatch(/^[a-z]+\.[a-z_]+$/);
  }
});
