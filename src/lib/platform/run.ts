import { execFileSync } from "node:child_process";

/** Runs a system program to its end and returns its output. @throws Error: it is missing, fails, or takes too long */
export type Run = (file: string, args: readonly string[]) => string;

/** In English, with times in UTC. */
export const run: Run = (file, args) =>
  execFileSync(file, args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC0" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_LIMIT,
    windowsHide: true,
  });

const LIMIT_MS = 20_000;
const OUTPUT_LIMIT = 256 * 1024 * 1024;
