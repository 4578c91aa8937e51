import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { serverJsonOf } from "../../packaging/server-json.mjs";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

const run = promisify(execFile);
const names = z.array(z.object({ name: z.string() }));
const manifest = z.object({
  server: z.object({
    mcp_config: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
});
const MCPB = packagePath("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const of = read(packagePath("package.json"));

test("the bundle, unpacked into an empty folder, serves a project as its manifest says", async () => {
  const [out, bundle, project] = [freshFolder(), freshFolder(), freshFolder()];
  // Where the client is allowed to look: neither our node_modules nor a cache.
  const system = { PATH: process.env.PATH ?? "", HOME: freshFolder(), ...stateVariables(process.env) };
  await run(process.execPath, [packagePath("packaging/make.mjs"), "--out", out]);
  const [mcpb = ""] = readdirSync(out).filter((name) => name.endsWith(".mcpb"));
  expect(mcpb).toBe(`signalbox-${of.version}.mcpb`);
  await run(process.execPath, [MCPB, "unpack", join(out, mcpb), bundle]);
  expect(read(join(out, "server.json"))).toMatchObject({ name: of.mcpName, version: of.version });

  await signalbox(["init"], { cwd: project });
  const { command, args, env } = started(join(bundle, "manifest.json"), {
    __dirname: bundle,
    "user_config.project": project,
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env: { ...system, ...env }, cwd: bundle }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    names.parse(read(packagePath("test/mcp/lists/all.json"))).map(({ name }) => name),
  );
  const learning = { name: "append_learning", arguments: { text: "Bundles answer." } };
  expect(await client.callTool(learning)).not.toHaveProperty("isError");
  expect((await signalbox(["learning", "list"], { cwd: project })).stdout).toContain("Bundles answer.");
});

/** How a client starts the server of a manifest, with its variables replaced. */
function started(path: string, variables: Readonly<Record<string, string>>) {
  const replaced = readFileSync(path, "utf8").replace(/\$\{([^}]+)\}/g, (_, name) => variables[name] ?? name);
  return manifest.parse(JSON.parse(replaced)).server.mcp_config;
}

test.each([
  [{ mcpName: "signalbox" }, "name"],
  [{ mcpName: "io.github.signalbox/signal/box" }, "name"],
  [{ version: "^1.0.0" }, "version"],
  [{ version: "latest" }, "version"],
])("the registry is told nothing wrong: %j", (wrong, field) => {
  expect(() => serverJsonOf({ ...of, ...wrong })).toThrow(field);
});
