import { z } from "zod";
import {
  type Client,
  claudeMcpArguments,
  failedCheck as failed,
  needsNoTrust,
  objectIn,
  ok,
  type Permissions,
  run,
  warning,
} from "../core.ts";
import { claudeEntries } from "./entries.ts";
import { claudeReader } from "./stream.ts";

/** Claude Code: https://code.claude.com/docs/en/headless */
export const claude: Client = {
  title: "Claude Code",
  install: "npm install -g @anthropic-ai/claude-code",
  login: "Log in: `claude auth login`.",
  tried: "2.1.329",
  about: {
    servers: "a file, `--mcp-config`",
    editRunsCommands: "only simple file commands, such as `mkdir`",
    reports: {
      tokens: "with each message",
      cost: "at the end",
      denials: "in its output",
      repeats: "`claudecode/toolUseId`",
    },
    limits: [
      { words: "You've hit your limit", source: "https://github.com/anthropics/claude-code/issues/54698" },
      {
        words: "You've hit your session limit",
        source: "https://github.com/anthropics/claude-code/issues/77082",
      },
      { words: "Limit reached", source: "https://github.com/anthropics/claude-code/issues/13632" },
      {
        words: "You're out of extra usage",
        source: "https://github.com/anthropics/claude-code/issues/22603",
      },
      { words: "Credit balance is too low", source: "https://github.com/anthropics/claude-code/issues/4208" },
    ],
    resets:
      "`rate_limit_event` in its output; else `resets 1:30am (Asia/Dhaka)` or `resets Feb 4, 8pm (Europe/Budapest)`",
    notes: [
      "As root, `full` needs the environment variable `IS_SANDBOX=1`.",
      "The version in the tables of tests is that of `@anthropic-ai/claude-agent-sdk`, which contains Claude Code.",
      "The loop uses none of the MCP servers in your own settings and in `.mcp.json`.",
    ],
  },
  // https://code.claude.com/docs/en/network-config
  sandbox: {
    hosts: ["api.anthropic.com"],
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    baseUrl: "ANTHROPIC_BASE_URL",
  },
  launch: ({ command, args }, launch) => ({
    file: command,
    args: [
      "-p",
      ...claudeMcpArguments(launch.mcpConfig, Object.keys(launch.servers)),
      "--output-format",
      "stream-json",
      "--verbose",
      "--permission-mode",
      MODES[launch.permissions],
      "--session-id",
      launch.conversation,
      ...(launch.model === undefined ? [] : ["--model", launch.model]),
      ...(launch.budgetUsd === undefined ? [] : ["--max-budget-usd", launch.budgetUsd.toFixed(4)]),
      ...args,
    ],
  }),
  reader: claudeReader,
  entries: claudeEntries,
  async look(path, { cwd, env }) {
    const answer = await run(path, ["auth", "status", "--json"], { cwd, env });
    const { data } = authStatus.safeParse(objectIn(answer.stdout));
    const login = !data
      ? warning("login", `${path} does not report whether it is logged in`, "Try `claude auth status`.")
      : data.loggedIn
        ? ok("login", `logged in (${data.authMethod})`)
        : failed("login", "Claude Code is not logged in", claude.login);
    return [
      { ...login, name: "login" },
      needsNoTrust("`claude -p` does not ask, and is given its servers by a file"),
    ];
  },
};

/** `plan` would also deny our own tools. https://code.claude.com/docs/en/permission-modes */
const MODES: Readonly<Record<Permissions, string>> = {
  read: "dontAsk",
  edit: "acceptEdits",
  full: "bypassPermissions",
};

const authStatus = z.object({ loggedIn: z.boolean(), authMethod: z.string() });
