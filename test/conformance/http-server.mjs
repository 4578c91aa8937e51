import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithUs } from "./processes.mjs";
import { processEnvironment, program } from "./project.mjs";

const STOP_LIMIT_MS = 10_000;

/** Starts `signalbox mcp --http` for a project on a free loopback port. `stop` ends it. @throws if it ends by itself */
export async function startHttpServer(root, temporary) {
  const child = spawn(process.execPath, [program, "mcp", "--http", "--port", "0", "--json"], {
    cwd: root,
    env: processEnvironment(temporary),
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithUs(child);
  const exited = once(child, "exit");
  const printed = once(child.stdout.setEncoding("utf8"), "data");
  const [first] = await Promise.race([printed, exited]);
  if (typeof first !== "string") throw new Error(`signalbox mcp --http ended with ${first}.`);
  return {
    url: JSON.parse(first).url,
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([exited, sleep(STOP_LIMIT_MS, undefined, { ref: false }).then(() => child.kill("SIGKILL"))]);
      await exited;
    },
  };
}

/**
 * Listens on a port of its own and passes each request on as it is, with a token: the suite can send none. Where a request names
 * our host, as `Host` or `Origin`, it is given the server's.
 */
export async function withToken(url, token) {
  const to = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address();
    const ours = new RegExp(`(localhost|127\\.0\\.0\\.1):${port}\\b`);
    const headers = incoming.rawHeaders.map((text) => text.replace(ours, `$1:${to.port}`));
    const options = { host: to.hostname, port: to.port, path: incoming.url, method: incoming.method };
    const passed = request({ ...options, headers: [...headers, "Authorization", `Bearer ${token}`] }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${server.address().port}${to.pathname}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
