import { existsSync } from "node:fs";
import { bwrapLine } from "./bwrap.ts";
import { errorMessage, findTool, platform, run, type Sandboxing } from "./core.ts";
import { mountOf } from "./session-mounts.ts";

/** An engine that answers, or why it cannot be used, and what to do. */
export type Engine = { readonly file: string } | { readonly found: string; readonly mend: string };

/**
 * Tries the engine of a sandbox, and looks for its image; starts no container.
 *
 * @param root the project's folder, a real path: programs in it are ignored, as an agent may write them
 */
export async function findEngine({ engine, image = "", mounts }: Sandboxing, root: string): Promise<Engine> {
  const other = "or set `sandbox.engine` to another one";
  if (!platform().isolates) {
    const found = "a sandbox works only on Linux, where sockets can be mounted";
    return { found, mend: 'Run signalbox in a virtual machine with Linux, or set "sandbox.engine": "none".' };
  }
  const absent = mounts.map((text) => mountOf(text).path).find((path) => !existsSync(path));
  if (absent !== undefined) {
    const mend = "Make it, or take it out of `sandbox.mounts`.";
    return { found: `there is no ${absent}, which \`sandbox.mounts\` names`, mend };
  }
  const file = findTool(engine, root);
  if (file === undefined) {
    const name = engine === "bwrap" ? "bubblewrap" : engine;
    return { found: `there is no program ${engine} on PATH`, mend: `Install ${name}, ${other}.` };
  }
  // As each session's agent is started.
  const trial =
    engine === "bwrap"
      ? bwrapLine(file, { mounts: [], folder: "/" }, ["true"])
      : { file, args: TRIALS[engine] };
  const problem = await problemWith(trial.file, trial.args);
  if (problem !== undefined) return { ...NO_ANSWER[engine](problem), mend: `${MENDS[engine]}, ${other}.` };
  if (engine === "bwrap") return { file };
  const missing = await problemWith(file, ["image", "inspect", "--format={{.Id}}", image]);
  if (missing === undefined) return { file };
  return {
    found: `${engine} has no image ${image}: ${missing}`,
    mend: `Build it, or get it with \`${engine} pull ${image}\`.`,
  };
}

const TRIALS = {
  docker: ["version", "--format={{.Server.Version}}"],
  podman: ["info", "--format={{.Host.OCIRuntime.Name}}"],
};

const NO_ANSWER: Readonly<Record<Sandboxing["engine"], (problem: string) => { found: string }>> = {
  docker: (problem) => ({ found: `the docker client is there, but no engine answers it: ${problem}` }),
  podman: (problem) => ({ found: `podman does not work here: ${problem}` }),
  bwrap: (problem) => ({ found: `bwrap does not work here: ${problem}` }),
};

const MENDS: Readonly<Record<Sandboxing["engine"], string>> = {
  docker: "Start the engine, as with `systemctl start docker`",
  podman: "Mend what it says",
  bwrap: "Allow user namespaces",
};

/** The first line of what it complains of; undefined if it succeeds. */
async function problemWith(file: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { exitCode, stderr, stopped } = await run(file, args, { cwd: "/", env: process.env });
    if (exitCode === 0) return undefined;
    if (stopped) return "it does not answer in time";
    return stderr.trim().split("\n")[0]?.replace(/\.$/, "") || `it exits with ${exitCode}`;
  } catch (error) {
    return errorMessage(error);
  }
}
