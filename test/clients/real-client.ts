import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientKind } from "../../src/config/schema.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import type { Turn } from "./model-server.ts";

/** What an agent does in one of its turns, whichever its client. */
export type Act =
  | { readonly say: string }
  | { readonly write: string; readonly content: string }
  | { readonly shell: string }
  | { readonly signal: string; readonly with: Readonly<Record<string, unknown>> }
  | Pick<Turn, "error" | "hangs">;

/** A real client from npm, in `.cache/clients`. */
export interface RealClient {
  /** The program that is started. */
  readonly program: string;
  /** How a turn of its model does an act. */
  turn(act: Act): Turn;
  /** The environment in which it asks the model at `url`; its own files lie in `home`. */
  environment(home: string, url: string): Readonly<Record<string, string>>;
}

const cache = packagePath(".cache/clients");

/** The path of a program in `.cache/clients`. */
export const installedProgram = (path: string) => join(cache, "node_modules", path);

export const realClients: Readonly<Record<ClientKind, RealClient>> = {
  claude: {
    program: installedProgram(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`),
    turn: (act) => {
      if ("write" in act) return call("Write", { file_path: act.write, content: act.content });
      if ("shell" in act) return call("Bash", { command: act.shell, description: "As asked" });
      return "signal" in act ? call(`mcp__ralph__${act.signal}`, act.with) : plain(act);
    },
    environment: (_home, url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-test",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      DISABLE_AUTOUPDATER: "1",
      // As root it refuses `full` elsewhere.
      IS_SANDBOX: "1",
    }),
  },
  codex: {
    program: installedProgram(".bin/codex"),
    turn: (act) => {
      if ("write" in act) {
        const patch = ["*** Begin Patch", `*** Add File: ${act.write}`, `+${act.content}`, "*** End Patch"];
        return call("exec_command", { cmd: `apply_patch <<'EOF'\n${patch.join("\n")}\nEOF` });
      }
      if ("shell" in act) return call("exec_command", { cmd: act.shell, yield_time_ms: 30_000 });
      return "signal" in act ? call(act.signal, act.with, "mcp__ralph") : plain(act);
    },
    environment: (home, url) => {
      writeIn(
        home,
        ".codex/config.toml",
        [
          'model = "scripted"',
          'model_provider = "scripted"',
          "[model_providers.scripted]",
          'name = "scripted"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "OPENAI_API_KEY"',
          "request_max_retries = 0",
          "stream_max_retries = 0",
          "",
        ].join("\n"),
      );
      return { OPENAI_API_KEY: "sk-test" };
    },
  },
  opencode: {
    program: installedProgram(".bin/opencode"),
    turn: (act) => {
      if ("write" in act) return call("write", { filePath: act.write, content: act.content });
      if ("shell" in act) return call("bash", { command: act.shell, description: "As asked" });
      return "signal" in act ? call(`ralph_${act.signal}`, act.with) : plain(act);
    },
    environment: (home, url) => {
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options: { baseURL: `${url}/v1`, apiKey: "test" },
        models: { scripted: { name: "scripted", cost: { input: 2, output: 10 } } },
      };
      const config = {
        autoupdate: false,
        share: "disabled",
        model: "scripted/scripted",
        provider: { scripted: provider },
      };
      writeIn(home, ".config/opencode/opencode.json", JSON.stringify(config));
      return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    },
  },
  gemini: {
    program: installedProgram(".bin/gemini"),
    turn: (act) => {
      if ("write" in act) return call("write_file", { file_path: act.write, content: act.content });
      if ("shell" in act) return call("run_shell_command", { command: act.shell });
      return "signal" in act ? call(`mcp_ralph_${act.signal}`, act.with) : plain(act);
    },
    environment: (home, url) => {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, maxAttempts: 1 },
        // Else it asks its model which model to take.
        model: { name: "gemini-2.5-flash" },
      };
      writeIn(home, ".gemini/settings.json", JSON.stringify(settings));
      return { GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: url };
    },
  },
};

/** A folder that run.mjs removes at the end; not below /tmp, where Codex puts no program of its sandbox. */
export function clientFolder(name: string): string {
  const parent = process.env.SIGNALBOX_CLIENTS_WORK ?? join(cache, "work");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${name}-`));

  return folder;
}

/** The version that is installed. */
export function versionOf(kind: ClientKind): string {
  const { dependencies } = JSON.parse(readFileSync(packagePath("test/clients/package.json"), "utf8"));
  return dependencies[PACKAGES[kind]];
}

const PACKAGES: Readonly<Record<ClientKind, string>> = {
  claude: "@anthropic-ai/claude-agent-sdk",
  codex: "@openai/codex",
  opencode: "opencode-ai",
  gemini: "@google/gemini-cli",
};

function call(name: string, input: Readonly<Record<string, unknown>>, namespace?: string): Turn {
  return { tools: [{ name, input, ...(namespace !== undefined && { namespace }) }] };
}

function plain(act: { readonly say: string } | Pick<Turn, "error" | "hangs">): Turn {
  return "say" in act ? { text: act.say } : act;
}

/** Writes a file of a client into its home, or anew. */
export function writeIn(home: string, path: string, content: string): void {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), content);
}
