import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { beforeAll, onTestFinished } from "vitest";
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
 * Bundles a script, once in a process, so that plain node can run it in processes of its own. To be called at the
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
  const path = join(BUNDLES, "dist", `${script.replaceAll("/", "-").replace(/\.ts$/, "")}.mjs`);
  beforeAll(async () => {
    let bundled = bundles.get(script);
    if (bundled === undefined) {
      bundled = bundle(script, path);
      bundles.set(script, bundled);
    }
    await bundled;
  });
  return { path };
}

/** In the package, so that better-sqlite3, which stays outside of the bundle, is found. */
const BUNDLES = packagePath(`node_modules/.cache/signalbox-test-children/${process.pid}`);
const bundles = new Map<string, Promise<unknown>>();

function bundle(script: string, path: string) {
  if (bundles.size === 0) {
    mkdirSync(BUNDLES, { recursive: true });
    // Vitest ends its workers by a signal.
    for (const pid of readdirSync(dirname(BUNDLES)).filter(isGone))
      rmSync(join(dirname(BUNDLES), pid), { recursive: true, force: true });
    // Where a bundled program looks for its version: in the nearest folder with one.
    copyFileSync(packagePath("package.json"), join(BUNDLES, "package.json"));
  }
  // A process that starts others is copied for each of them, so it must stay small (docs/decisions/0072-the-program-in-the-tests-process.md).
  return promisify(execFile)(process.execPath, [
    packagePath("test/support/bundle.mjs"),
    packagePath(script),
    path,
  ]);
}

function isGone(pid: string): boolean {
  try {
    return !process.kill(Number(pid), 0);
  } catch {
    return true;
  }
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
