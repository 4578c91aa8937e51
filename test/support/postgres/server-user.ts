import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

/** Who runs servers. PostgreSQL refuses root: then it is `postgres`, else `nobody`. Undefined: this process's own user. */
export const serverUser: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? (idsOf("postgres") ?? idsOf("nobody")) : undefined;

/** Runs a program as that user until it ends. @throws with what it wrote, where it fails */
export async function asServerUser(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { ...serverUser, cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (data) => {
    complaints += data;
  });
  // Not `close`: what the program leaves running keeps its stderr open.
  const [code, signal] = await once(child, "exit");
  child.stderr.destroy();
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code ?? signal}: ${complaints}`);
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return line === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
