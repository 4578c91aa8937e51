/** The clients for which `signalbox mcp --print-config` knows what they want; client-configs.ts has it. */
export const clientNames = [
  "claude",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "opencode",
  "qwen",
  "copilot",
  "cline",
  "zed",
  "windsurf",
] as const;

export type ClientName = (typeof clientNames)[number];
