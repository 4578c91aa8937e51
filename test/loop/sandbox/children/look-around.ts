import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/*
 * look-around <project> <its home outside> <port of the host> <port of the model> <mcp.json>: an agent that writes down what it
 * reaches from where it is, in found.json, and then reports `done`. While there is a file `wait` in its folder it does nothing.
 */
const [project = "", home = "", port = "", model = "", mcpConfig = ""] = process.argv.slice(2);

if (existsSync("wait")) await waitForever();
writeFileSync("found.json", JSON.stringify(await lookAround()));
await report();

function waitForever(): Promise<never> {
  process.on("SIGTERM", () => {
    writeFileSync("ended", "");
    process.exit(0);
  });
  setInterval(() => {}, 60_000);
  console.log(JSON.stringify({ signalbox: "agent", version: "1" }));
  return new Promise(() => {});
}

async function lookAround(): Promise<object> {
  const state = execFileSync("git", ["rev-parse", "--absolute-git-dir"], { encoding: "utf8" }).trim();
  return {
    ralph: below(`${project}/.ralph`),
    home: existsSync(home),
    ownHome: below(process.env.HOME ?? ""),
    environment: [process.env.GIVEN, process.env.CANARY],
    direct: await direct(),
    elsewhere: await throughProxy("example.org:443"),
    model: await throughProxy(`localhost:${model}`),
    plain: (await fetchPlain()).status,
    writes: [
      "/usr/x",
      "/x",
      `${project}/.git/config`,
      `${project}/.git/hooks/x`,
      ".git",
      `${dirname(mcpConfig)}/x`,
      `${state}/commondir`,
      `${state}/gitdir`,
      `${project}/.git/packed-refs`,
      `${project}/.git/refs/heads/x`,
    ].map(write),
    commits: commits(),
  };
}

function below(folder: string): string[] | "none" {
  return existsSync(folder) ? readdirSync(folder).sort() : "none";
}

function write(path: string): string {
  try {
    writeFileSync(path, "x");
    return "written";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}

function commits(): string {
  try {
    execFileSync("git", ["commit", "--quiet", "--allow-empty", "--message=From inside"], { stdio: "ignore" });
  } catch {
    // Then the last one is another.
  }
  return execFileSync("git", ["log", "-1", "--format=%s"], { encoding: "utf8" }).trim();
}

/** As if there were a network. */
function direct(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => resolve("connected"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
}

function proxySocket() {
  const { hostname, port: at } = new URL(process.env.HTTPS_PROXY ?? "");
  return connect(Number(at), hostname);
}

async function fetchPlain(): Promise<{ status: string }> {
  const socket = proxySocket();
  socket.write(`GET http://localhost:${model}/ HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { status: (await text(socket)).split("\r\n")[0] ?? "" };
}

/** What a host says by TLS, or the proxy's refusal. */
async function throughProxy(host: string): Promise<string> {
  const socket = proxySocket();
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
  if (!answer.startsWith("HTTP/1.1 200")) return answer.split("\r\n\r\n")[1]?.trim() ?? answer;
  const secure = connectTls({ socket, rejectUnauthorized: false });
  secure.end("hello");
  return text(secure);
}

async function report(): Promise<void> {
  const { url } = JSON.parse(readFileSync(mcpConfig, "utf8")).mcpServers.ralph;
  const client = new Client({ name: "look-around", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { answer: "Yes." } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.callTool({ name: "ask", arguments: { question: "May I leave?", blocking: true } });
  await client.callTool({ name: "done", arguments: { summary: "Looked around." } });
  await client.close();
  process.exit(0);
}
