import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { initProject } from "../../src/project/project.ts";
import { runProgram } from "../support/cli.ts";
import { startModelServer } from "./model-server.ts";
import { clientFolder, installedProgram, realClients, writeIn } from "./real-client.ts";

/** A client at which a person sits, asked once by a command line. */
interface OwnClient {
  readonly program: string;
  readonly args: readonly string[];
  /** What it must know to ask the model at `url`. */
  environment(home: string, url: string): Readonly<Record<string, string>>;
  /** What its user would answer when it asks whether it may start the server of a folder. */
  trust?(home: string, project: string): void;
}

const { claude, codex, gemini, opencode } = realClients;

const ownClients: Readonly<Record<string, OwnClient>> = {
  claude: {
    ...claude,
    args: ["-p", "Hello"],
    trust: (home, project) => {
      const answers = { hasTrustDialogAccepted: true, enabledMcpjsonServers: ["ralph"] };
      writeIn(home, ".claude.json", JSON.stringify({ projects: { [project]: answers } }));
    },
  },
  codex: {
    ...codex,
    args: ["exec", "--skip-git-repo-check", "Hello"],
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

/* Catches: a text of `mcp --print-config` that its client does not read, or by which it does not reach our server. */
test.each(Object.entries(ownClients))(
  "%s offers our tools with the configuration of --print-config",
  async (name, client) => {
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
    const printed = await runProgram(
      packagePath("bin/signalbox.js"),
      ["mcp", "--print-config", name, "--json"],
      { cwd: project, env },
    );
    const { file, content } = JSON.parse(printed.stdout);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    client.trust?.(home, project);

    const child = spawn(client.program, client.args, {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    await once(child, "close");
    const [{ tools = [], body = "" } = {}] = model.requests;
    // Qwen Code tells its model the names alone, and the rest once it is asked.
    const offered = toolNames.filter(
      (tool) =>
        tools.some((one) => /ralph/.test(one) && one.endsWith(tool)) || body.includes(`mcp__ralph__${tool}`),
    );
    expect(offered, `${tools} ${said}`).toEqual(toolNames);
  },
);
