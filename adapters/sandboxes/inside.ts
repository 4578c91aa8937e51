import { spawn } from "node:child_process";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { HOME_FOLDER, PROXY_PORT, PROXY_SOCKET, SESSION_PATH, TOOLS_PORT, TOOLS_SOCKET } from "./core.ts";

/*
 * The first program of a sandbox, in a file of its own: `node inside.mjs FOLDER PROGRAM [ARGUMENT…]`.
 * It brings the two sockets of the session's folder to ports of the sandbox's loopback, since no client
 * connects to a socket's path, and starts the agent. Its exit code is the agent's. It ends the agent
 * with the session: in a container nothing else does if the driver was killed.
 */
const [folder = "", program = "", ...args] = process.argv.slice(2);

await bring(TOOLS_SOCKET, TOOLS_PORT);
await bring(PROXY_SOCKET, PROXY_PORT);

const proxy = `http://127.0.0.1:${PROXY_PORT}`;
const home = join(folder, HOME_FOLDER);
const agent = spawn(program, args, {
  stdio: "inherit",
  // A group of its own, so that its children get its signals too.
  detached: true,
  env: {
    ...process.env,
    HOME: home,
    // Claude Code as root allows everything only where it is told that it is in one.
    IS_SANDBOX: "1",
    ...both("HTTP_PROXY", proxy),
    ...both("HTTPS_PROXY", proxy),
    ...both("NO_PROXY", "127.0.0.1,localhost"),
  },
});
agent.once("error", (error) => {
  console.error(`The agent could not be started in its sandbox: ${error.message}`);
  process.exit("code" in error && error.code === "EACCES" ? 126 : 127);
});
// As a shell says it.
agent.once("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => signalAgent(name));

// Without the usual agent, whose sockets have a time limit.
get({ socketPath: join(folder, PROXY_SOCKET), path: SESSION_PATH, agent: false }, (response) => {
  response.resume().once("close", endWithSession);
}).once("error", endWithSession);

function endWithSession(): void {
  signalAgent("SIGKILL");
  console.error("The driver has gone, or has ended the session.");
  process.exit(128 + constants.signals.SIGKILL);
}

function signalAgent(name: NodeJS.Signals): void {
  try {
    if (agent.pid !== undefined) process.kill(-agent.pid, name);
  } catch {
    // It is gone.
  }
}

function both(name: string, value: string): Record<string, string> {
  return { [name]: value, [name.toLowerCase()]: value };
}

/** Copies bytes between a port and a socket. */
function bring(name: string, port: number): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: join(folder, name), allowHalfOpen: true });
    near.on("error", () => near.destroy()).once("close", () => far.destroy());
    far.on("error", () => far.destroy()).once("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ port, host: "127.0.0.1" }, () => resolve());
  });
}
