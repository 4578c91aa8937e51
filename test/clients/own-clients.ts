import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { installedProgram, realClients, writeIn } from "./real-client.ts";

/** A client at which a person sits, asked once by a command line. */
export interface OwnClient {
  readonly program: string;
  readonly args: readonly string[];
  /** Arguments besides, with which it asks nobody before it acts. */
  readonly bold?: readonly string[];
  /** What it must know to ask the model at `url`. */
  environment(home: string, url: string): Readonly<Record<string, string>>;
  /** What its user would answer when it asks whether it may start the server of a folder. */
  trust?(home: string, project: string): void;
}

const { claude, codex, gemini, opencode } = realClients;

export const ownClients: Readonly<Record<string, OwnClient>> = {
  claude: {
    ...claude,
    args: ["-p", "Hello"],
    bold: ["--permission-mode", "bypassPermissions"],
    trust: (home, project) => {
      const answers = { hasTrustDialogAccepted: true, enabledMcpjsonServers: ["ralph"] };
      writeIn(home, ".claude.json", JSON.stringify({ projects: { [project]: answers } }));
    },
  },
  codex: {
    ...codex,
    args: ["exec", "--skip-git-repo-check", "Hello"],
    bold: ["--dangerously-bypass-approvals-and-sandbox"],
    trust: (home, project) =>
      appendFileSync(
        join(home, ".codex/config.toml"),
        `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
      ),
  },
  gemini: {
    ...gemini,
    // What it would ask for it does not offer to its model, where nobody can be asked.
    args: ["--approval-mode", "yolo", "--prompt", "Hello"],
    trust: (home, project) =>
      writeIn(home, ".gemini/trustedFolders.json", JSON.stringify({ [project]: "TRUST_FOLDER" })),
  },
  opencode: { ...opencode, args: ["run", "Hello"] },
  qwen: {
    program: installedProgram(".bin/qwen"),
    args: ["--auth-type", "openai", "--approval-mode", "yolo", "--prompt", "Hello"],
    environment: (_home, url) => ({
      OPENAI_API_KEY: "test",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "scripted",
    }),
    trust: (home, project) => {
      const env = { PATH: process.env.PATH ?? "", HOME: home };
      // Qwen Code gives an HTTP server 5 s to answer, while it is still starting itself: too little on a busy machine.
      const file = ".qwen/settings.json";
      const settings = JSON.parse(readFileSync(join(project, file), "utf8"));
      settings.mcpServers.ralph.discoveryTimeoutMs = 60_000;
      writeIn(project, file, JSON.stringify(settings));
      execFileSync(installedProgram(".bin/qwen"), ["mcp", "approve", "ralph"], {
        cwd: project,
        env,
        stdio: "pipe",
      });
    },
  },
  copilot: {
    program: installedProgram(".bin/copilot"),
    args: ["--allow-all-tools", "--prompt", "Hello"],
    environment: (_home, url) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: "scripted",
    }),
  },
};

/** Runs it to its end. @returns what it printed */
export async function runOwnClient(
  { program, args }: Pick<OwnClient, "program" | "args">,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  return said;
}
