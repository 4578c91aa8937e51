import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithUs } from "./processes.mjs";
import { folder, processEnvironment, program } from "./project.mjs";

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/**
 * Starts mcp-proxy on a free loopback port, with our server of that environment behind it. `stop` ends both.
 *
 * @throws if it does not answer within half a minute, with what it wrote
 */
export async function startProxy(env, temporary) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      `${folder}node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs`,
      ...["--host", "127.0.0.1", "--port", `${port}`, "--server", "stream"],
      ...["--", process.execPath, program, "mcp"],
    ],
    { env: { ...processEnvironment(temporary), ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  endWithUs(child);
  const exited = once(child, "exit");
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (written += text));

  const stop = async () => {
    child.kill("SIGTERM");
    await Promise.race([exited, sleep(STOP_LIMIT_MS, undefined, { ref: false }).then(() => child.kill("SIGKILL"))]);
    await exited;
  };
  const until = Date.now() + START_LIMIT_MS;
  while (!(await answers(port))) {
    if (child.exitCode === null && child.signalCode === null && Date.now() < until) {
      await sleep(50);
      continue;
    }
    await stop();
    throw new Error(`mcp-proxy does not serve ${program} mcp. It wrote:\n${written}`);
  }
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

async function answers(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ping`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
