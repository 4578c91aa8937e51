import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { aboutOwnClient, clientConfig, knowsAddresses } from "../../src/mcp/client-configs.ts";
import type { ClientName } from "../../src/mcp/client-names.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/** What docs/clients.md says of a client at which a person sits: its file, and what `mcp --print-config` prints. */
export async function ownClientSection(client: ClientName): Promise<string[]> {
  const { title, docs, elsewhere, tried, remark, note } = aboutOwnClient(client);
  const sentences = [
    `${title}. File: ${filesOf(client)}.`,
    elsewhere,
    remark,
    note,
    `Tried: ${triedWith(tried)}.`,
    docs && `[Its documentation](${docs})`,
  ];
  return [
    `### ${client}`,
    "",
    sentences.filter((sentence) => sentence !== undefined).join(" "),
    "",
    ...block(client, await printed(client)),
    "",
    ...(await overHttp(client)),
    "",
  ];
}

async function overHttp(client: ClientName): Promise<string[]> {
  if (!knowsAddresses(client)) return ["Over HTTP: no. Its configuration holds only servers that it starts."];
  return [
    `Over HTTP, \`signalbox mcp --print-config ${client} --transport http\`:`,
    "",
    ...block(client, await printed(client, "--transport", "http", "--url", "http://127.0.0.1:4100/mcp")),
  ];
}

function block(client: ClientName, content: string): string[] {
  return [`\`\`\`${client === "codex" ? "toml" : "json"}`, ...content.trimEnd().split("\n"), "```"];
}

function filesOf(client: ClientName): string {
  const server = { command: "", args: [], env: { RALPH_DB_PATH: "", RALPH_CONTEXT: "" } };
  const files = Object.entries({ macOS: "darwin", Windows: "win32", Linux: "linux" } as const).map(
    ([system, platform]) => {
      const { file } = clientConfig(client, server, { project: "PROJECT", home: "~", platform });
      return [system, `\`${file}\``] as const;
    },
  );
  const names = new Set(files.map(([, file]) => file));
  return names.size === 1
    ? [...names].join()
    : files.map(([system, file]) => `${file} on ${system}`).join(", ");
}

/** The version of a package that test/clients installs. */
function triedWith(tried: string | undefined): string {
  if (tried === undefined) return "no";
  const { dependencies } = JSON.parse(readFileSync(packagePath("test/clients/package.json"), "utf8"));
  const version: string | undefined = dependencies[tried];
  return version === undefined ? tried : `\`${tried}\` ${version}`;
}

async function printed(client: ClientName, ...options: readonly string[]): Promise<string> {
  const { folder } = await freshProject();
  const { stdout, exitCode } = await signalbox(["mcp", "--print-config", client, ...options], {
    cwd: folder,
  });
  expect(exitCode).toBe(0);
  return stdout
    .replaceAll(folder, "/path/to/project")
    .replaceAll(process.execPath, "/path/to/node")
    .replaceAll(packagePath(""), "/path/to/signalbox/")
    .replace(/sb_[\w-]+/, "TOKEN");
}
