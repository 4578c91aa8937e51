// @ts-check
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { minifySync } from "rolldown/utils";

/**
 * Puts the program's modules into two files, of which scripts/start.cjs runs what is used: the first has those that a server and the
 * commonest commands were seen to use, since even what is not used of a file takes time at each start.
 *
 * @param {string} from the folder of the modules, CommonJS, as the bundler wrote them one by one
 * @param {string} to the folder of the program
 */
export function packProgram(from, to) {
  mkdirSync(to, { recursive: true });
  const numbers = new Numbers();
  const modules = readModules(from, numbers);
  copyFileSync(join(import.meta.dirname, "start.cjs"), join(to, "start.cjs"));
  writeFileSync(join(to, "rebuild-worker.cjs"), 'require("./start.cjs").load("rebuild-worker");\n');
  writePacks(to, modules, numbers, () => true);
  const used = tryOut(to);
  writePacks(to, modules, numbers, (number) => used.has(String(number)));
  // What V8 compiled of it is kept for the first start.
  tryOut(to);
}

/** A number for each module, and for whatever else is required. */
class Numbers {
  /** @type {Map<string, number>} */
  #of = new Map();

  /** @param {string} name */
  of(name) {
    const number = this.#of.get(name) ?? this.#of.size + 1;
    this.#of.set(name, number);
    return number;
  }

  names() {
    return [...this.#of].map(([name, number]) => ({ name, number }));
  }
}

/** Packages that are not bundled: dependencies, and what others look for and do without. */
const OUTSIDE = new Set(["better-sqlite3", "pg", "bufferutil", "utf-8-validate"]);

/** @param {string} folder @param {Numbers} numbers @returns {Map<string, string>} the modules' code by their names */
function readModules(folder, numbers) {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".cjs"),
  );
  const names = paths.map((path) => path.replaceAll("\\", "/").slice(0, -".cjs".length)).sort();
  const known = new Set(names);
  return new Map(
    names.map((name) => {
      const code = readFileSync(join(folder, `${name}.cjs`), "utf8");
      /** @type {(match: string, quote: string, id: string) => string} */
      const required = (match, _quote, id) => {
        const [, isDefault = "", file = ""] = /^(default:)?(.*)$/.exec(id) ?? [];
        const own = posix.join(posix.dirname(name), file.replace(/\.cjs$/, ""));
        if (!isDefault && file.startsWith(".") && known.has(own)) return `require(${numbers.of(own)})`;
        if (isBuiltin(file) || OUTSIDE.has(file)) return `require(${numbers.of(`:${id}`)})`;
        // They write code that requires their own files: nothing of ours has them do that.
        if (/^ajv(-formats)?\/dist\//.test(file)) return match;
        throw new Error(`${name} requires ${id}, which is not in the package.`);
      };
      const numbered = code
        .replaceAll(/\brequire\((["`])([^"`]+)\1\)/g, required)
        // What is in no file of its own imports nothing.
        .replaceAll(
          /\bimport\((["`])([^"`]+)\1\)/g,
          (match, quote, id) => `Promise.resolve().then(()=>${required(match, quote, id)})`,
        );
      if (/(?<![\w$.])import\(/.test(numbered)) throw new Error(`${name} imports what only a run knows.`);
      return [name, numbered];
    }),
  );
}

/**
 * With short names also for what was a module's own: it is a function's now.
 *
 * @param {string} object
 */
function shortened(object) {
  const keepNames = { function: true, class: true };
  const { code, errors } = minifySync("pack.cjs", `pack=${object}`, {
    ...{ sourceType: "script", compress: { keepNames }, mangle: { keepNames } },
    codegen: { removeWhitespace: true },
  });
  const [, whole] = /^pack=(.*?);?\s*$/s.exec(code) ?? [];
  if (errors.length > 0 || whole === undefined)
    throw new Error(`The program cannot be packed: ${errors[0]?.message}`);
  return asAscii(`(${whole})`);
}

/** A file of ASCII is read without being decoded. @param {string} code */
function asAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * @param {string} to
 * @param {Map<string, string>} modules
 * @param {Numbers} numbers
 * @param {(number: number) => boolean} isCommon
 */
function writePacks(to, modules, numbers, isCommon) {
  const entries = Object.fromEntries(["main", "rebuild-worker"].map((name) => [name, numbers.of(name)]));
  const outside = Object.fromEntries(
    numbers.names().flatMap(({ name, number }) => (name.startsWith(":") ? [[number, name.slice(1)]] : [])),
  );
  const functions = [...modules].map(([name, code]) => {
    const number = numbers.of(name);
    // For stack traces.
    const named = `function ${name.replaceAll(/\W/g, "_")}`;
    return { number, text: `${number}:${named}(exports,require,module,__filename,__dirname){${code}\n}` };
  });
  for (const [pack, isIn] of /** @type {const} */ ([
    ["program", true],
    ["others", false],
  ])) {
    const all = functions.filter(({ number }) => isCommon(number) === isIn).map(({ text }) => text);
    const more = isIn ? `entries:${JSON.stringify(entries)},outside:${JSON.stringify(outside)},` : "";
    writeFileSync(join(to, `${pack}.pack`), shortened(`{${more}modules:{${all.join(",\n")}}}`));
  }
}

/**
 * Runs a server and the commonest commands, as a user's first start does.
 *
 * @param {string} program the folder of the program
 * @returns the names of the modules that they used
 */
function tryOut(program) {
  const keptIn = () => readdirSync(program).find((name) => name.startsWith("v8-"));
  const before = keptIn();
  if (before) rmSync(join(program, before), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "signalbox-build-"));
  const home = mkdtempSync(join(tmpdir(), "signalbox-build-"));
  const start = join(home, "cli.cjs");
  writeFileSync(start, `require(${JSON.stringify(join(program, "start.cjs"))}).main(process.argv);`);
  try {
    for (const command of [...COMMANDS, "mcp"]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [start, ...command.split(" ")], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SIGNALBOX_STATE: join(home, "state"),
          RALPH_TASK_ID: "1",
          RALPH_SESSION_ID: "s-1",
          RALPH_DB_PATH: join(folder, ".ralph", "db", "ralph.db"),
        },
        input:
          command === "mcp"
            ? REQUESTS.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("")
            : "",
        encoding: "utf8",
      });
      if (status !== 0)
        throw new Error(`\`${command}\` of what was built does not run:\n${stderr.slice(0, 2_000)}`);
      if (command.startsWith("--")) writeFileSync(join(program, `${command.slice(2)}.txt`), stdout);
    }
  } finally {
    for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
  }
  const kept = join(program, keptIn() ?? "");
  return new Set(
    readdirSync(kept).flatMap(
      (file) => readFileSync(join(kept, file), "latin1").split("\n", 1)[0]?.split(",") ?? [],
    ),
  );
}

const COMMANDS = [
  "init",
  "task add Compiled",
  "task list",
  "session start 1 --session s-1",
  "session list",
  "signal flag --session s-1 --what Compiled. --severity info --category bug",
  "next",
  "status",
  "inbox",
  "log list",
  "--help",
  "--version",
];

/** What a request of MCP 2026-07-28 says about itself. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Of both eras of MCP. */
const REQUESTS = [
  { id: "a", method: "server/discover", params: { _meta: ENVELOPE } },
  { id: "b", method: "tools/list", params: { _meta: ENVELOPE } },
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list", params: {} },
  {
    id: 2,
    method: "tools/call",
    params: { name: "flag", arguments: { what: "Compiled.", severity: "info", category: "bug" } },
  },
];
