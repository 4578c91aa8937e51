/**
 * The clients supported by `signalbox mcp --print-config`; client-configs.ts has their
 * configurations.
 */
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
