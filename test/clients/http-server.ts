import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** Starts `signalbox mcp --http` for a project; it ends with the test. Resolves once it listens. */
export async function startHttpServer(project: string): Promise<void> {
  const server = spawn(
    process.execPath,
    [packagePath("bin/signalbox.js"), "mcp", "--http", "--port", "0", "--json"],
    { cwd: project, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void server.kill("SIGTERM"));
  await once(server.stdout, "data");
}
