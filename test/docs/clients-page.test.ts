import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { clientConfig } from "../../src/mcp/client-configs.ts";
import { clientNames } from "../../src/mcp/client-names.ts";
import { type Case, cases } from "../clients/cases.ts";
import { versionOf } from "../clients/real-client.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

const page = readFileSync(packagePath("docs/clients.md"), "utf8");

/** People write this page; its blocks are what is printed, and a person copies them from there. */
test("docs/clients.md shows what is printed for each client, but for paths", async () => {
  const { folder } = await freshProject();
  let right = page;
  for (const client of clientNames) {
    const { stdout } = await signalbox(["mcp", "--print-config", client], { cwd: folder });
    const printed = stdout
      .replaceAll(folder, "/path/to/project")
      .replaceAll(packagePath(""), "/path/to/signalbox/")
      .replaceAll(process.execPath, "/path/to/node");
    right = withBlock(right, client, printed);
  }
  expect(page).toBe(right);
});

test("docs/clients.md has a section for each client, which names its file", () => {
  const sections = page.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split("\n")[0])).toEqual(clientNames);
  const server = { command: "", args: [], env: { RALPH_DB_PATH: "", RALPH_CONTEXT: "" } };
  for (const [index, client] of clientNames.entries())
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const { file } = clientConfig(client, server, { project: "/path/to/project", home: "~", platform });
      expect(sections[index], client).toContain(`\`${file}\``);
    }
});

test("docs/clients.md shows every case that is tried with the real clients, and their versions", () => {
  const marks = (one: Case) => kinds.map((kind) => (one.cannot?.[kind] === undefined ? "✓" : "–"));
  const right = [
    `| case | ${kinds.map((kind) => `${kind} ${versionOf(kind)}`).join(" | ")} |`,
    "|---|---|---|---|---|",
    ...cases.map((one) => `| ${one.name} | ${marks(one).join(" | ")} |`),
  ];
  expect(page).toContain(`\n\n${right.join("\n")}\n\n`);
});

const kinds = ["claude", "codex", "opencode", "gemini"] as const;

/** The page with another text in the block of a client's section. */
function withBlock(text: string, client: string, block: string): string {
  const [before = "", after = ""] = text.split(`\n## ${client}\n`);
  const section = after.replace(
    /^```(json|toml)\n[\s\S]*?^```$/m,
    (_, language) => `\`\`\`${language}\n${block}\`\`\``,
  );
  return `${before}\n## ${client}\n${section}`;
}
