import { execFile } from "node:child_process";

/** Within this, in milliseconds, each process that is run to its end must have come to it. */
const LIMIT_MS = 30_000;

/** Runs a program to its end, with `input` as its standard input; one that takes too long is killed, and has no `code`. */
export function run(command, args, { cwd, env, input = "" }) {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    endWithUs(child);
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** The same for its standard output. @throws if its exit code was not 0 */
export async function runOrThrow(command, args, options) {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${code}.\n${stderr}${stdout}`);
  return stdout;
}

/** A child that still runs when this program ends, for whatever reason, is killed, before what it writes to is removed. */
export function endWithUs(child) {
  const kill = () => child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
