// @ts-check
// Starts the program: the build puts this file beside its packs (docs/decisions/0069-fast-starts.md).
"use strict";
const {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { basename, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

/**
 * A file of modules, each a function that is compiled and called when the module is first used.
 *
 * @typedef {(exports: object, require: (number: number) => unknown, module: { exports: object }, file: string, folder: string) => void} Factory
 * @typedef {{ readonly modules: Readonly<Record<number, Factory>>, readonly entries: Readonly<Record<string, number>>, readonly outside: Readonly<Record<number, string>> }} Content
 * @typedef {{ readonly script: Script, readonly content: Content, readonly kept: string }} Pack
 */

/** The first one has what commands and servers of agents commonly use. */
const NAMES = ["program", "others"];
/** @type {Map<string, Pack>} */
const packs = new Map();
/** What modules and others export, by their numbers. @type {any[]} */
const exported = [];

/** @param {number} number */
const requireIn = (number) => exported[number] ?? begin(number);

/** @param {number} number @returns {any} */
function begin(number) {
  const outside = packOf("program").content.outside[number];
  if (outside) {
    const [, isDefault, id = ""] = /^(default:)?(.*)$/.exec(outside) ?? [];
    const found = require(id);
    exported[number] = isDefault ? Object.create(found, { default: { value: found } }) : found;
    return exported[number];
  }
  const made = { exports: {} };
  exported[number] = made.exports;
  try {
    factoryOf(number)(made.exports, requireIn, made, __filename, __dirname);
  } catch (error) {
    // As Node does: one that needs a package that is missing fails each time, not only the first.
    delete exported[number];
    throw error;
  }
  exported[number] = made.exports;
  return made.exports;
}

/** @param {number} number @returns {Factory} */
function factoryOf(number) {
  for (const name of NAMES) {
    const factory = packOf(name).content.modules[number];
    if (factory) return factory;
  }
  throw new Error(`The build has no module ${number}.`);
}

/** @param {string} name @returns {Pack} */
function packOf(name) {
  const known = packs.get(name);
  if (known) return known;
  const { kept, cachedData } = readKept(name);
  // The build writes ASCII alone.
  const source = readFileSync(join(__dirname, `${name}.pack`), "latin1");
  // Not its path: that of the build would stand in stack traces wherever the package is.
  const script = new Script(source, { filename: `signalbox:${name}`, cachedData });
  const pack = { script, content: script.runInThisContext(), kept: script.cachedDataRejected ? "" : kept };
  packs.set(name, pack);
  return pack;
}

/*
 * What V8 has compiled is kept from the first run of each command, by each version of V8: for the modules that it used, and those
 * alone, since what is kept is read at each start.
 */

/** The command, or another entry. */
let word = /^[a-z][a-z-]*$/.exec(process.argv[2] ?? "")?.[0] ?? "help";
const VERSION = `v8-${process.versions.v8}-${process.arch}`;

/** Where it is kept: in the package; in a folder of the user's own, if the package is somebody else's. */
function* folders() {
  yield join(__dirname, VERSION);
  const caches = cachesOfUser();
  if (caches) yield join(caches, basename(__dirname), VERSION);
}

function cachesOfUser() {
  const { XDG_CACHE_HOME = "", HOME, LOCALAPPDATA = "" } = process.env;
  const caches = [XDG_CACHE_HOME, HOME ? join(HOME, ".cache") : LOCALAPPDATA].find(isAbsolute);
  return caches && join(caches, "signalbox");
}

/** @param {string} pack */
const fileOf = (pack) => `${word}.${pack}.cache`;

/** @param {string} pack @returns {{ kept: string, cachedData: Buffer | undefined }} the modules of which there is code, between commas */
function readKept(pack) {
  for (const folder of folders()) {
    try {
      const content = readOwn(join(folder, fileOf(pack)));
      const end = content.indexOf("\n");
      return { kept: content.toString("latin1", 0, end), cachedData: content.subarray(end + 1) };
    } catch {
      // The next one may have it.
    }
  }
  return { kept: "", cachedData: undefined };
}

/** Code is run that this user wrote, or who owns the program. @param {string} path @throws Error */
function readOwn(path) {
  const file = openSync(path, "r");
  try {
    const { uid } = fstatSync(file);
    if (uid !== process.getuid?.() && uid !== statSync(__filename).uid)
      throw new Error(`${path} is somebody else's.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

process.on("exit", (code) => {
  // A Node refuses code that was compiled under other flags than its own.
  if (code !== 0 || process.execArgv.length > 0 || process.env.NODE_OPTIONS) return;
  for (const [name, { script, content, kept }] of packs) {
    const used = Object.keys(exported).filter((id) => id in content.modules && !kept.includes(`,${id},`));
    if (used.length > 0)
      keep(fileOf(name), () => [`${kept || ","}${used.join(",")},\n`, script.createCachedData()]);
  }
});

/** @param {string} name @param {() => readonly [string, Buffer]} content */
function keep(name, content) {
  // The package may have been removed meanwhile.
  if (!existsSync(__filename)) return;
  for (const folder of folders()) {
    const written = join(folder, `${process.pid}.${name}`);
    try {
      if (mkdirSync(folder, { recursive: true, mode: 0o755 })) removeOld();
      accessSync(folder, constants.W_OK);
      const [modules, code] = content();
      // V8 takes a file that a power cut has damaged for a good one.
      writeFileSync(written, Buffer.concat([Buffer.from(modules), code]), { mode: 0o644, flush: true });
      return renameSync(written, join(folder, name));
    } catch {
      // Nothing was written where this user may not write; a full disk may have left a part.
      if (existsSync(written)) rmSync(written);
    }
  }
}

/** Of builds that this user first started more than a month ago: one that is still started makes its own again. */
function removeOld() {
  const caches = cachesOfUser();
  if (!caches || !existsSync(caches)) return;
  for (const name of readdirSync(caches)) {
    const isOld = Date.now() - statSync(join(caches, name)).mtimeMs > 30 * 86_400_000;
    if (isOld) rmSync(join(caches, name), { recursive: true, force: true });
  }
}

/** @param {string} entry @returns {any} */
function load(entry) {
  return requireIn(packOf("program").content.entries[entry] ?? 0);
}

/**
 * What the build had these print, which needs nothing of the program. On a terminal the help is as wide as that.
 *
 * @param {readonly string[]} argv
 */
function printed([, , first, ...more]) {
  const isHelp = (first === "--help" || first === "-h") && !process.stdout.isTTY;
  if (more.length > 0 || !(isHelp || first === "--version")) return undefined;
  try {
    return readFileSync(join(__dirname, isHelp ? "help.txt" : "version.txt"));
  } catch {
    // The build is about to have them printed.
    return undefined;
  }
}

/** @param {readonly string[]} argv as in `process.argv` */
exports.main = (argv) => {
  const text = printed(argv);
  if (!text) return load("main").main(argv);
  // A reader that goes away is no error.
  process.stdout.on("error", () => process.exit(0)).write(text);
};
/** For a thread. @param {string} entry @returns {any} */
exports.load = (entry) => {
  word = entry;
  return load(entry);
};
