import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** The rules of style.md that a machine can hold. */
function filesBelow(folder: string): string[] {
  return readdirSync(packagePath(folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

const inSrc = filesBelow("src").filter((file) => /\.tsx?$/.test(file));
/** The adapters too: `adapters.test.ts` has their own rules. */
const sources = [...inSrc, ...filesBelow("adapters").filter((file) => /\.tsx?$/.test(file))];
const tests = filesBelow("test").filter((file) => file.endsWith(".ts"));
/** Where time, ids and randomness come in through parameters. */
const PURE = [
  ...["src/events", "src/projections", "src/read-model", "src/queries", "adapters/postgres"],
  ...["src/lib/time.ts", "src/lib/ids.ts", "src/lib/environment.ts", "src/lib/pause.ts"],
];

/** The folders of what is published. */
const HOUSE = ["src", "adapters"];
const textOf = (file: string) => readFileSync(packagePath(file), "utf8");

/**
 * The rooms of src by floors, the lowest first. A room imports rooms of floors below it, of its own floor those to its left, and the table
 * of adapters, which lies beside the rooms, as does index.ts: the TypeScript API, which nothing imports.
 */
const FLOORS: readonly (readonly string[])[] = [
  ["lib"],
  ["events"],
  ["projections", "read-model", "queries"],
  ["workspace", "config"],
  ["decisions", "gates", "operations"],
  ["mcp"],
  ["replay", "history"],
  ["api", "outside", "loop"],
  ["cli", "open.ts", "index.ts"],
];

/** The room of a file; `index.ts` for the file beside the rooms. */
const roomOf = (file: string) => relative("src", file).split("/")[0] ?? "";

test("arrows between the rooms point one way: down, or to the left", () => {
  expect(wrongArrows(new Map(inSrc.map((file) => [file, textOf(file)])))).toEqual([]);
  expect(FLOORS.length).toBeLessThanOrEqual(9);
  expect([...FLOORS.flat(), "adapters.ts"].sort()).toEqual([...new Set(inSrc.map(roomOf))].sort());
});

test.each([
  [
    "another room",
    { "src/events/log.ts": 'import { a } from "../cli/a.ts";' },
    "src/events/log.ts → src/cli/a.ts",
  ],
  [
    "the TypeScript API",
    { "src/events/log.ts": 'const { a } = await import("../index.ts");' },
    "src/events/log.ts → src/index.ts",
  ],
  [
    "a room of a higher floor",
    { "src/lib/a.ts": 'export * from "../events/log.ts";' },
    "src/lib/a.ts → src/events/log.ts",
  ],
  [
    "a room to the right",
    { "src/projections/a.ts": 'import type { A } from "../queries/a.ts";' },
    "src/projections/a.ts → src/queries/a.ts",
  ],
])("an arrow in the wrong direction is found to %s", (_to, files, wrong) => {
  expect(wrongArrows(new Map(Object.entries(files)))).toEqual([wrong]);
});

/** What each file of a room imports that its room may not. */
function wrongArrows(files: ReadonlyMap<string, string>): string[] {
  const order = FLOORS.flat();
  return [...files].flatMap(([file, text]) => {
    const from = order.indexOf(roomOf(file));
    return importsOf(file, text)
      .filter(
        (target) => from >= 0 && roomOf(target) !== "adapters.ts" && order.indexOf(roomOf(target)) > from,
      )
      .map((target) => `${file} → ${target}`);
  });
}

test("no file imports itself by way of others, types and late imports included, but through the table of adapters", () => {
  const files = sources.filter((file) => file !== "src/adapters.ts");
  expect(circles(new Map(files.map((file) => [file, textOf(file)])))).toEqual([]);
});

test.each([
  ["of types", 'import type { A } from "./a.ts";'],
  ["of a file that is loaded late", 'const { a } = await import("./a.ts");'],
  ["of a file that passes a name on", 'export { a } from "./a.ts";'],
])("a circle %s is found", (_kind, back) => {
  const files = {
    "src/a.ts": 'import { b } from "./b.ts";',
    "src/b.ts": 'import "./c.ts";',
    "src/c.ts": back,
  };
  expect(circles(new Map(Object.entries(files)))).toEqual(["src/a.ts → src/b.ts → src/c.ts → src/a.ts"]);
});

/** The circles of imports among files, each as the way round it; one where several share a file. */
function circles(files: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): string[] => {
    const start = way.indexOf(file);
    if (start >= 0) return [[...way.slice(start), file].join(" → ")];
    if (done.has(file)) return [];
    const found = importsOf(file, files.get(file) ?? "").flatMap((target) => walk(target, [...way, file]));
    done.add(file);
    return found;
  };
  return [...files.keys()].flatMap((file) => walk(file, []));
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
    PURE,
  ],
  ["a worker keeps the order", /mergeMap/, PURE],
  ["no shell is started", /shell: true/, HOUSE],
  ["no type is switched off", /: any\b|\bas any\b|<any>|any\[\]/, HOUSE],
  ["no value is asserted to be there", /[\])A-Za-z0-9_]!([.;,)]|\[)/, HOUSE],
  // zod 4 wants the key of a field of any value, and says of an absent one what nobody understands.
  ["a field of any value may be absent", /^.*\w: z\.(unknown|any)\(\)(?!\.optional)/m, HOUSE],
  [
    "what zod finds is told in our words",
    /^(?!.*\binOurWords\b).*(\.issues\b(?!\()|\{ ?issues ?\}|prettifyError|ZodError\b)/s,
    HOUSE,
  ],
  [
    "what a command prints as JSON says no character that acts on a terminal",
    /(print|stdout\.write)\([^;(]*JSON\.stringify/,
    ["src/cli"],
  ],
  ["nothing is left to be done", /TODO|FIXME|XXX/, HOUSE],
])("%s", (_rule, pattern, folders) => {
  const own = "test/tidy/tidy.test.ts";
  const found = [...sources, ...tests]
    .filter(
      (file) => file !== own && folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
    )
    .filter((file) => pattern.test(textOf(file)));
  expect(found).toEqual([]);
});

/** Files that signalbox or another program writes; they are no documents of this repository. */
const WRITTEN = ["prompt.md", "Backlog.md"];

test("a comment refers to no text that a reader of the repository lacks", () => {
  expect(sources.flatMap((file) => lacking(textOf(file)).map((name) => `${file}: ${name}`))).toEqual([]);
});

test.each([
  ["(issue 6, item 5)", "issue 6"],
  ["as seed 004 has it", "seed 004"],
  ["(seeds 000 to 002)", "seeds 000"],
  ["(design.md, The log)", "design.md"],
  ["(decision 0999)", "decision 0999"],
  ["docs/decisions/0999 says why", "decisions/0999"],
])("the reference in %j is found", (text, name) => {
  expect(lacking(text)).toEqual([name]);
});

test.each([
  "docs/rules.md",
  "docs/gates.md",
  "decision 0017",
  "docs/decisions/0003",
  "openai/codex issue 3899",
])("%s may be referred to", (text) => {
  expect(lacking(text)).toEqual([]);
});

/** These say to people, for each rule, where it stands there. */
const SAYING_RULES = [
  "src/cli/printing/why-lines.ts",
  "src/history/why/rules.ts",
  "src/history/why/status.ts",
  "adapters/page/page/parts/why.tsx",
];

test("a comment names the rules by their path, with a heading that is there", () => {
  const headings = [...textOf("docs/rules.md").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const found = sources
    .filter((file) => !SAYING_RULES.includes(file))
    .flatMap((file) => unheaded(textOf(file), headings).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

test.each([
  "(rules.md, Merges)",
  "as docs/rules.md has it",
  "(docs/rules.md, Mergers)",
  "(docs/rules.md,\n * Mergers)",
])("the reference to the rules in %j is found", (text) => {
  expect(unheaded(text, ["Merges"])).toHaveLength(1);
  expect(unheaded("(docs/rules.md,\n * Merges, step 2)", ["Merges"])).toEqual([]);
});

/** References to the rules that lack their path, or a heading of theirs; this one may say where the headings are. */
function unheaded(text: string, headings: readonly string[]): string[] {
  return [...text.matchAll(/(docs\/)?\brules\.md(?:,[\s*]+([A-Z].{0,60}))?/g)]
    .filter(
      ([, path, rest = ""]) =>
        path === undefined ||
        !headings.some((one) => one.startsWith(/^[\w ]*/.exec(rest)?.[0].trim() || "–")),
    )
    .map(([name]) => name);
}

/** The texts that something refers to and that are neither in the repository nor in another one that it names. */
function lacking(text: string): string[] {
  const isThere = (path: string) =>
    [path, join("docs", path), join("fixtures", path)].some((at) => existsSync(packagePath(at)));
  const decisions = readdirSync(packagePath("docs/decisions"));
  const unnumbered = [...text.matchAll(/(?<!\w\/[\w.-]+ )\b(?:issues?|seeds?) \d+/gi)].map(([name]) => name);
  const pages = [...text.matchAll(/[\w./-]+\.md\b/gi)]
    .map(([name]) => name)
    .filter(
      (name) =>
        !WRITTEN.some((written) => name.endsWith(written)) && !isThere(name.toLowerCase()) && !isThere(name),
    );
  const numbered = [...text.matchAll(/decisions?[ /](\d+)(?![\w-]*\.md)/gi)]
    .filter(([, number = ""]) => !decisions.some((name) => name.startsWith(`${number.padStart(4, "0")}-`)))
    .map(([name]) => name);
  return [...unnumbered, ...pages, ...numbered];
}

/** What asks none of the tables that the compiler knows, or writes its SQL by the tables' own declarations. */
const OF_OTHER_TABLES = [
  /^src\/(events|outside\/exchange|history\/time-travel\/history)\//,
  /^adapters\/(postgres|imports)\//,
  /^src\/(projections|read-model)\/[^/]+\.ts$/,
  /^src\/loop\/doctor\/(installation|read-model)\.ts$/,
];
/** What is shown to people, who ask it themselves. */
const SHOWN = [/^src\/queries\/charts\//, /^src\/cli\/describe\/schemas\.ts$/, /^adapters\/page\/page\//];

test("the compiler checks all queries of the read model: none is written as SQL", () => {
  const others = [...OF_OTHER_TABLES, ...SHOWN];
  const written = sources.filter(
    (file) => !others.some((other) => other.test(file)) && /\bSELECT\s[^;]*\sFROM\s/.test(textOf(file)),
  );
  expect(written).toEqual([]);
});

test("git is started in one place, which prevents it from running a repository's programs", () => {
  const starting = [
    "src/gates/runner/isolation.ts",
    "src/lib/platform/platform.ts",
    "src/lib/platform/posix.ts",
    "src/lib/platform/run.ts",
    "src/lib/platform/windows.ts",
    "src/loop/doctor/program.ts",
    "adapters/sandboxes/inside.ts",
    "src/loop/starting/detached-run.ts",
    "adapters/notices/desktop.ts",
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

/** What runs on Linux alone, and asks the platform first. */
const LINUX_ALONE = [
  "adapters/sandboxes/bwrap.ts",
  "adapters/sandboxes/inside.ts",
  "src/gates/runner/bwrap.ts",
  "src/gates/runner/unshare.ts",
  "src/workspace/special-files.ts",
];

test("one folder knows what differs between systems", () => {
  const asking = /process\.platform|["'`\s]\/proc\/|process\.kill\(-|"\/bin\/sh"/;
  const found = sources.filter((file) => asking.test(textOf(file)) && !file.startsWith("src/lib/platform/"));
  expect(found.sort()).toEqual(LINUX_ALONE);
});

test("work waits for its turn in one way", () => {
  // A look at the context that failed makes all later ones fail: its chain is not one of turns.
  const chains = ["src/lib/turns.ts", "src/mcp/context-file.ts"];
  const chained = /Promise<\w+> = Promise\.resolve\(/;
  expect(sources.filter((file) => chained.test(textOf(file))).sort()).toEqual(chains);
});

test("folders are made in one place, which follows no symbolic link", () => {
  const making = sources.filter((file) => /\bmkdir(Sync)?\(/.test(textOf(file)));
  expect(making).toEqual(["src/lib/private-folder.ts"]);
});

test("an unconfirmed configuration is only read to show it", () => {
  const showing = [
    "src/cli/commands/config.ts",
    "src/cli/commands/notify.ts",
    "src/cli/running/fleet-watch.ts",
    "src/cli/commands/prompt.ts",
    "src/cli/completion/other-values.ts",
    "src/cli/printing/prompt-line.ts",
    "src/config/config.ts",
    "src/config/config-path.ts",
    "src/config/confirmed.ts",
    "src/config/live-config.ts",
    "src/config/locate-log.ts",
    "src/index.ts",
    "src/loop/doctor/config.ts",
  ];
  const reading = /\b(readConfig|readConfigFile|configIn|inspectConfig|configPathOf)|"config\.json"\)/;
  // What an agent may do is asked once, and the answer written into a configuration that somebody has confirmed.
  const asking = [
    "src/cli/asking/ask-permissions.ts",
    "src/cli/commands/init.ts",
    "src/cli/asking/set-up.ts",
    "src/config/change-config.ts",
  ];
  const starting = ["src/cli/asking/confirm-config.ts", "src/cli/commands/config-trust.ts"];
  expect(sources.filter((file) => reading.test(textOf(file))).sort()).toEqual(
    [...showing, ...asking, ...starting].sort(),
  );
});

/** What works on SQLite's files themselves, and why; all else goes by the port, which a log on a server has too. */
const FILE_ONLY: Readonly<Record<string, string>> = {
  "adapters/imports/core.ts": "looks into another program's database",
  "src/api/log.ts": "gives the parts of a log to other programs",
  "src/cli/commands/backup.ts": "copies the pages of a file, and restores a file",
  "src/cli/completion/project-values.ts": "looks into the read model without making or changing it",
  "src/config/known-log.ts": "knows the log's file again",
  "src/config/locate-log.ts": "says that the file beside the read model is the log",
  "src/config/tracked-journals.ts": "looks whether git tracks a journal of the log's file",
  "src/decisions/store.ts": "knows the read model's file again",
  "src/history/redaction/clean.ts": "erases what a file's pages still hold",
  "src/loop/doctor/log.ts": "leaves no file behind beside the log's",
  "src/loop/doctor/read-model.ts": "looks into the read model's file",
  "src/outside/exchange/restore-log.ts": "replaces a whole file that has only what init records",
  "src/outside/fleet/join.ts": "looks whether a file has the project's log already",
  "src/outside/fleet/leave.ts": "puts a log into its file again",
  "src/outside/fleet/move.ts": "moves a log out of its file, and back into one",
  "src/read-model/rebuild-worker.ts": "reads the log's file in a thread, where there is one",
  "src/replay/run.ts": "replays into a file of its own",
};

test("only named files work on the log's file itself; all others take the log as the port gives it", () => {
  const onFile = /from "[^"]*\/sqlite-[a-z-]+\.ts"|\blogPathBeside\b/;
  const found = sources.filter((file) => roomOf(file) !== "events" && onFile.test(textOf(file)));
  expect(found.sort()).toEqual(Object.keys(FILE_ONLY));
});

test("no test is skipped for good or run alone", () => {
  expect(tests.filter((file) => /\b(test|it|describe)\.(only|skip|todo)\(/.test(textOf(file)))).toEqual([]);
});

/** Written from definitions in src, but for a page's beginning; `vitest -u` may write them anew, and nothing else. */
const GENERATED =
  /^(docs\/(events\.md|tools\.md|cli\.md|clients\.md|config\.md|metrics\.md|policies\.md|resources\.md|config\.schema\.json)|test\/mcp\/lists\/.+\.json)$/;

test("vitest -u rewrites no text written by a person", () => {
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

test("files are named in kebab-case", () => {
  expect(sources.filter((file) => !/^[a-z0-9/.-]+\.tsx?$/.test(file))).toEqual([]);
});

test("every event that a family's file defines is in that file's list", async () => {
  const { eventDefinitions } = await import("../../src/events/types/index.ts");
  const listed: ReadonlySet<string> = new Set(eventDefinitions.map(({ type }) => type));
  const unlisted = sources
    .filter((file) => file.startsWith("src/events/types/"))
    .flatMap((file) =>
      [...textOf(file).matchAll(/= defineEvent\(\{\s*type: "([^"]+)"/g)]
        .filter(([, type = ""]) => !listed.has(type))
        .map(([, type]) => `${type}: add it to the list at the end of ${file}`),
    );
  expect(unlisted).toEqual([]);
});

test("every projection that a file defines is in the list of all", async () => {
  const { projections } = await import("../../src/projections/all.ts");
  const listed = projections.map(({ name }) => name);
  const unlisted = sources
    .filter((file) => file.startsWith("src/projections/"))
    .flatMap((file) =>
      [...textOf(file).matchAll(/= defineProjection\(\{\s*name: "([^"]+)"/g)]
        .filter(([, name = ""]) => !listed.includes(name))
        .map(([, name]) => `${name} (${file}): add it to src/projections/all.ts`),
    );
  expect(unlisted).toEqual([]);
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
