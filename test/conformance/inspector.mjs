import { run, runOrThrow } from "./processes.mjs";
import { folder, processEnvironment, program } from "./project.mjs";

const inspector = `${folder}node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;

/**
 * Has the inspector list our server's tools strictly, over stdio. Returns what is wrong: nothing if it exits with 0 and lists
 * every tool that the server sent (it leaves out those that it cannot read), without a warning.
 */
export async function inspect(env, temporary) {
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const { code, stdout, stderr } = await run(
    process.execPath,
    [inspector, "--cli", ...variables, process.execPath, program, "mcp", "--method", "tools/list", "--strict"],
    { env: processEnvironment(temporary) },
  );
  if (code !== 0) return [`It exited with ${code}: ${stderr || stdout}`];
  if (stderr !== "") return [`It warns: ${stderr}`];
  const [listed, sent] = [namesIn(JSON.parse(stdout)), namesIn(await toolsSent(env, temporary))];
  return listed === sent && sent !== "" ? [] : [`It lists the tools ${listed}; the server sent ${sent}.`];
}

function namesIn({ tools }) {
  return tools.map(({ name }) => name).join(", ");
}

/** What our server answers to tools/list, as it is on the wire. */
async function toolsSent(env, temporary) {
  const clientInfo = { name: "conformance", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list", params: {} },
  ];
  const printed = await runOrThrow(process.execPath, [program, "mcp"], {
    env: { ...processEnvironment(temporary), ...env },
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
  });
  const answers = printed.trimEnd().split("\n").map((line) => JSON.parse(line));
  return answers.find(({ id }) => id === 2).result;
}
