import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "../support/project.ts";

/** A fresh project that has installed this package as it would be published, and nothing else but its dependencies. */
export interface Installed {
  readonly folder: string;
  /** What tsc says of programs, by their files' names; empty where nothing is wrong. */
  compile(programs: Readonly<Record<string, string>>, options: CompilerOptions): string;
  /** Runs a program of this folder. */
  run(file: string, ...args: readonly string[]): { readonly stdout: string; readonly stderr: string };
  /** Runs a program: the values that it has told, each by `tell(…)`. @throws what it complains of */
  told(program: string): readonly unknown[];
}

type CompilerOptions = Readonly<Record<string, unknown>>;

/** Strict, with the types of all packages checked, and without those of Node. */
const STRICT: CompilerOptions = {
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: [],
  rootDir: ".",
};

/** For programs that are there to be run: a test of its own checks the packages' types. */
const QUICK: CompilerOptions = { module: "nodenext", lib: ["es2022", "dom"], skipLibCheck: true };

const packed = z.tuple([z.object({ filename: z.string() })]);
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** Call it once at the top of a file that uses `told`: after its tests, one run of tsc checks the types of all their programs. */
export function useInstalled(): void {
  const told = new Set<string>();
  programs = told;
  afterAll(() => {
    programs = undefined;
    const files = Object.fromEntries([...told].map((text, index) => [`program-${index}.ts`, text]));
    const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
    try {
      install(folder);
      expect(compileIn(folder, files, QUICK), "what tsc says").toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

export function installed(): Installed {
  const folder = freshFolder();
  install(folder);
  const one: Installed = {
    folder,
    compile: (programs, options) => compileIn(folder, programs, options),
    run(file, ...args) {
      const { stdout, stderr } = spawnSync(process.execPath, [join(folder, file), ...args], {
        encoding: "utf8",
        cwd: folder,
      });
      return { stdout, stderr };
    },
    told(program) {
      const text = `${program}\nfunction tell(value: unknown) { console.log(JSON.stringify(value ?? null)); }\n`;
      if (!programs) throw new Error("Call useInstalled() at the top of the file.");
      programs.add(text);
      writeFileSync(
        join(folder, "program.js"),
        ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } }).outputText,
      );
      const { stdout, stderr } = one.run("program.js");
      if (stderr !== "") throw new Error(stderr);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
  };
  return one;
}

/** The programs that the tests of this file have run. */
let programs: Set<string> | undefined;
/** The package as it would be published, packed once in a process. */
let tarball: Buffer | undefined;

function install(folder: string): void {
  tarball ??= pack(folder);
  const modules = join(folder, "node_modules");
  const into = join(modules, "signalbox");
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xz", "-C", into, "--strip-components=1"], { input: tarball });
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(packagePath("package.json"), "utf8")));
  for (const name of Object.keys(dependencies))
    symlinkSync(packagePath(join("node_modules", name)), join(modules, name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
}

function pack(folder: string): Buffer {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename }] = packed.parse(
    JSON.parse(execFileSync("npm", args, { cwd: packagePath("."), encoding: "utf8" })),
  );
  const path = join(folder, filename);
  const content = readFileSync(path);
  rmSync(path);
  return content;
}

function compileIn(folder: string, programs: Readonly<Record<string, string>>, options: CompilerOptions) {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  const config = { compilerOptions: { ...STRICT, ...options }, files: Object.keys(programs) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = packagePath("node_modules/typescript/bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  if (status === 0 || stdout !== "") return stdout;
  throw new Error(`tsc ended with ${status}: ${stderr}`);
}
