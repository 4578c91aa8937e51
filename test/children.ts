import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "rolldown";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";

/** A process that a test has started. */
export interface Child {
  readonly process: ChildProcess;
  /** Lines of its output, as they come; they end when its output does. */
  readonly lines: AsyncIterableIterator<string>;
  /** Its next line. @throws Error: it ended instead, with how it ended and what it complained of */
  says(): Promise<string>;
  /** Writes a line to its input. */
  tell(line: string): void;
  /** Sends SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Its remaining lines, once it has ended well. */
  finish(): Promise<string[]>;
}

/**
 * Bundles a script, once per test file, so that plain node can run it in processes of its own. To be called at the
 * top of a test file; the scripts lie beside the tests, in a folder `children`.
 *
 * @param script its path in the package, such as `test/events/children/append-batches.ts`
 */
export function useChild(script: string): (...args: readonly string[]) => Child {
  const { path } = useBundle(script);
  return (...args) => startProcess(process.execPath, [path, ...args]);
}

/** Bundles a script as `useChild` does, and gives its path. */
export function useBundle(script: string): { readonly path: string } {
  // In the package, so that better-sqlite3, which stays outside of the bundle, is found.
  const folder = packagePath(`node_modules/.cache/signalbox-test-children/${process.pid}`);
  const path = join(folder, "dist", `${script.replaceAll("/", "-").replace(/\.ts$/, "")}.mjs`);
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    // Where a bundled program looks for its version: in the nearest folder with one.
    copyFileSync(packagePath("package.json"), join(folder, "package.json"));
    await build({
      input: packagePath(script),
      platform: "node",
      external: ["better-sqlite3", "pg"],
      output: { file: path, format: "esm", codeSplitting: false },
      logLevel: "warn",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { path };
}

/** Starts a process that ends, at the latest, with the present test. */
export function startProcess(command: string, args: readonly string[]): Child {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let complaints = "";
  child.stderr.on("data", (data) => {
    complaints += data;
  });
  // A child that was killed does not read what it is told.
  child.stdin.on("error", () => {});
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  const ended = async () => {
    const [code, signal] = await closed;
    return {
      well: code === 0,
      error: new Error(`${args.join(" ")} ended with ${code ?? signal}: ${complaints}`),
    };
  };
  return {
    process: child,
    lines,
    async says() {
      const { value, done } = await lines.next();
      if (done) throw (await ended()).error;
      return value;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
    async finish() {
      const rest: string[] = [];
      for await (const line of lines) rest.push(line);
      const { well, error } = await ended();
      if (!well) throw error;
      return rest;
    },
  };
}
