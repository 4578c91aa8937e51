import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "../support/project.ts";

const run = promisify(execFile);
const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));

/** What a build needs of this package, in a folder of its own that is removed after the test. */
export interface PackageCopy {
  readonly folder: string;
  readonly program: string;
  /** Gives the program another version, so that its files and their names differ from those of before. */
  changeSources(version: string): void;
  build(): Promise<unknown>;
  /** The files that the package would be published with, without another build. */
  pack(): Promise<readonly string[]>;
  /** Runs the program. @returns what it prints. @throws if it fails */
  run(...args: readonly string[]): Promise<string>;
}

/** Programs that run write what they compile into `dist/` at any moment, and a file that goes while it is copied aborts Node. */
const isMade = (path: string) => !basename(path).startsWith("v8-");

/** @param isBuilt whether the copy has the package's present build, too */
export function packageCopy({ isBuilt = false } = {}): PackageCopy {
  const folder = freshFolder();
  for (const name of readdirSync(packagePath("."))) {
    if (/^(adapters|bin|scripts|src)$|\.(json|config\.ts)$/.test(name) || (isBuilt && name === "dist")) {
      cpSync(packagePath(name), join(folder, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: isMade,
      });
    }
  }
  symlinkSync(packagePath("node_modules"), join(folder, "node_modules"));
  const program = join(folder, "bin", "signalbox.js");
  const source = join(folder, "src", "lib", "version.ts");
  const written = readFileSync(source, "utf8");
  return {
    folder,
    program,
    changeSources: (version) =>
      writeFileSync(source, written.replace(/= JSON.*;/, `= ${JSON.stringify(version)};`)),
    build: () => run("npm", ["run", "build"], { cwd: folder }),
    pack: async () => {
      const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
        cwd: folder,
      });
      return packed.parse(JSON.parse(stdout)).flatMap(({ files }) => files.map(({ path }) => path));
    },
    run: async (...args) => (await run(process.execPath, [program, ...args])).stdout,
  };
}
