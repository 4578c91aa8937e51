import type { ClientKind, Permissions } from "../../src/config/schema.ts";
import { PERMISSIONS_MEAN, permissionLevels } from "../../src/config/schema.ts";
import type { AboutClient } from "../../src/loop/agent/client.ts";
import { clients } from "../../src/loop/agent/clients.ts";
import { type Case, cases } from "../clients/cases.ts";
import { versionOf } from "../clients/real-client.ts";
import { freshFolder } from "../support/project.ts";

export const kinds = ["claude", "codex", "opencode", "gemini"] as const satisfies readonly ClientKind[];

/** The tables of docs/clients.md that compare the clients that the loop launches. */
export function comparisons(): string[] {
  return [
    "### Permissions",
    "",
    "What each level of `permissions` allows without asking, and the flags with which the client is launched.",
    "",
    table(
      "level",
      permissionLevels.map((level) => [
        `\`${level}\`: ${PERMISSIONS_MEAN[level]}`,
        (kind) => changedBy(kind, level).map(code).join(" "),
      ]),
    ),
    "",
    "### Compared",
    "",
    table("", [
      ["gets its MCP servers by", (kind) => aboutOf(kind).servers],
      ["`edit` may run commands", (kind) => aboutOf(kind).editRunsCommands],
      ["reports tokens", (kind) => aboutOf(kind).reports.tokens],
      ["reports its cost", (kind) => aboutOf(kind).reports.cost],
      ["reports denied tools", (kind) => aboutOf(kind).reports.denials],
      ["a repeated tool call is identified by", (kind) => aboutOf(kind).reports.repeats],
      ["usage limit: words", (kind) => aboutOf(kind).limits.map(linked).join(", ")],
      ["usage limit: when it ends", (kind) => aboutOf(kind).resets],
    ]),
    "",
    "### Tested cases",
    "",
    "`npm run test:clients` installs the real clients and drives each through these cases, offline, against a scripted model.",
    "",
    table(
      "case",
      cases.map((one) => [one.name, (kind) => (one.cannot?.[kind] === undefined ? "✓" : "–")]),
      (kind) => `${kind} ${versionOf(kind)}`,
    ),
    "",
    ...cases.flatMap(untried),
  ].flatMap((text) => text.split("\n"));
}

/** What docs/clients.md says of one client that the loop launches. */
export function agentSection(kind: ClientKind): string[] {
  const { title, install, login, tried, about } = clients[kind];
  return [
    `### ${title}`,
    "",
    `Kind \`${kind}\`. Install: \`${install}\`. ${login} Oldest version tried: ${tried}. Launched with the permissions \`edit\`:`,
    "",
    "```sh",
    commandLineOf(kind),
    "```",
    "",
    ...about.notes.map((note) => `- ${note}`),
    "",
  ];
}

const aboutOf = (kind: ClientKind): AboutClient => clients[kind].about;
const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
const linked = ({ words, source }: AboutClient["limits"][number]) => `[${code(words)}](${source})`;

function table(
  corner: string,
  rows: readonly (readonly [string, (kind: ClientKind) => string])[],
  head: (kind: ClientKind) => string = (kind) => clients[kind].title,
): string {
  return [
    `| ${corner} | ${kinds.map(head).join(" | ")} |`,
    `|---|${kinds.map(() => "---|").join("")}`,
    ...rows.map(([name, cell]) => `| ${name} | ${kinds.map(cell).join(" | ")} |`),
  ].join("\n");
}

function untried({ name, cannot = {} }: Case): string[] {
  return Object.entries(cannot).map(([kind, why]) => `– ${kind}, "${name}": ${why}.\n`);
}

/** The arguments, and the parts of variables, that no other level has. */
function changedBy(kind: ClientKind, level: Permissions): string[] {
  const all = permissionLevels.map((one) => partsOf(kind, one));
  const own = partsOf(kind, level);
  return own.filter((part) => !all.every((parts) => parts.includes(part)));
}

/** A command line in parts: an option with its value is one, and so is a key of a variable that is a JSON object. */
function partsOf(kind: ClientKind, level: Permissions): string[] {
  const { args, environment = {} } = launched(kind, level);
  const options: string[] = [];
  for (const arg of args)
    if (arg.startsWith("-") || options.length === 0) options.push(arg);
    else options.push(`${options.pop()} ${arg}`);
  return [...options, ...Object.entries(environment).flatMap(([, value]) => keysOf(value))];
}

function keysOf(value: string): string[] {
  if (!value.startsWith("{")) return [];
  return Object.entries(JSON.parse(value)).map(([name, inner]) => `${name}: ${JSON.stringify(inner)}`);
}

function commandLineOf(kind: ClientKind): string {
  const { file, args, environment = {} } = launched(kind, "edit");
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${word(value)}`);
  return [...variables, file, ...args.map(word)].join(" ");
}

const word = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : `'${text}'`);

function launched(kind: ClientKind, permissions: Permissions) {
  const folder = freshFolder();
  const { file, args, environment } = clients[kind].launch(
    { kind, command: kind, args: [] },
    {
      ...{ task: 7, session: "SESSION", folder, permissions, conversation: "UUID" },
      ...{ promptFile: `${folder}/prompt.md`, mcpConfig: `${folder}/mcp.json` },
      servers: { ralph: { command: "signalbox", args: ["mcp"] } },
      ...{ model: undefined, budgetUsd: undefined, environment: { HOME: folder } },
    },
  );
  const shown = (text: string) => text.replaceAll(folder, ".ralph/run/SESSION");
  return {
    file,
    args: args.map(shown),
    environment:
      environment &&
      Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, shown(text)])),
  };
}
