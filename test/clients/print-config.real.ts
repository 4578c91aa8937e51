import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initProject } from "../../src/api/project.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { runProgram } from "../support/cli.ts";
import { startHttpServer } from "./http-server.ts";
import { startModelServer } from "./model-server.ts";
import { ownClients, runOwnClient } from "./own-clients.ts";
import { clientFolder } from "./real-client.ts";

/* Catches: a text of `mcp --print-config` that its client does not read, or by which it does not reach our server. */
test.each([
  ...Object.entries(ownClients).map(([name, client]) => [name, client, "stdio"] as const),
  // The others do a whole task over HTTP in http.real.ts.
  ...["qwen", "copilot"].map((name) => [name, ownClients[name], "http"] as const),
])("%s offers our tools with the configuration of --print-config", async (name, client, transport) => {
  if (!client) throw new Error(`${name} is not known.`);
  const home = clientFolder(`${name}-own-home`);
  const project = clientFolder(`${name}-own-project`);
  await initProject(project);
  const model = await startModelServer([[{ text: "Hello." }]]);
  onTestFinished(() => model.close());
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TERM: "xterm-256color",
    ...client.environment(home, model.url),
  };
  if (transport === "http") await startHttpServer(project);
  const printed = await runProgram(
    packagePath("bin/signalbox.js"),
    ["mcp", "--print-config", name, "--transport", transport, "--json"],
    { cwd: project, env },
  );
  const { file, content } = JSON.parse(printed.stdout);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  client.trust?.(home, project);

  const said = await runOwnClient(client, project, env);
  const [{ tools = [], body = "" } = {}] = model.requests;
  // Qwen Code tells its model the names alone, and the rest once it is asked.
  const offered = toolNames.filter(
    (tool) =>
      tools.some((one) => /ralph/.test(one) && one.endsWith(tool)) || body.includes(`mcp__ralph__${tool}`),
  );
  expect(offered, `${tools} ${said}`).toEqual(toolNames);
});
