import { statSync } from "node:fs";
import type { Command } from "commander";
import { loadChannels } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import { ConfigError, readConfig } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { pc, print, printJson, printTable, quoteLine } from "../../lib/terminal/output.ts";
import { retryNotices } from "../../outside/notices/retry.ts";
import { type NoticesStatus, noticesStatus } from "../../outside/notices/status.ts";
import { testMessage } from "../../outside/notices/test-message.ts";
import {
  type CommonOptions,
  EXIT,
  folderOf,
  guarded,
  projectOptions,
  readModelPath,
  withProject,
  writingOptions,
} from "../making/command.ts";

export function addNotify(program: Command): void {
  const group = program.command("notify").description("how people are told what waits for them");
  projectOptions(group.command("status", { isDefault: true }))
    .description("show each channel: what waits, what was told, and what was given up")
    .addHelpText("after", "\nExample:\n  signalbox notify status --json")
    .action((options: CommonOptions) =>
      guarded(() => withProject(options, (project) => status(project, options))),
    );
  projectOptions(group.command("test"))
    .argument("[channels...]", "channels by their names in the configuration; all, if absent")
    .description("send a test message, which nothing records")
    .addHelpText("after", "\nExample:\n  signalbox notify test phone")
    .action((names: string[], options: CommonOptions) => guarded(() => test(names, options)));
  writingOptions(group.command("retry"))
    .argument("[notice]", "the id of one, as `notify status` shows it; all that were given up, if absent")
    .description("tell again what was given up")
    .addHelpText("after", "\nExample:\n  signalbox notify retry")
    .action((notice: string | undefined, options: CommonOptions) =>
      guarded(() => withProject(options, (project) => retry(project, notice, options))),
    );
}

async function status(project: Project, options: CommonOptions): Promise<void> {
  const path = readModelPath(options);
  const config = readConfig(path);
  const now_ms = project.store.environment.now() / 1_000;
  const shown = await project.ask((tables) => noticesStatus(tables, config, now_ms));
  const telling = isTelling(path);
  const problem = problemOf(path);
  if (options.json) return printJson({ ...shown, telling, problem });
  printStatus(shown);
  if (problem !== null) print(`\n${pc.yellow(quoteLine(problem, 500))}`);
  else if (shown.channels.length > 0 && !telling)
    print("\nNo process tells them now: `signalbox serve` and `signalbox run` do while they run.");
}

/** Whether a process tells now: it shows that it lives several times a second. */
function isTelling(path: string): boolean {
  const sign = statSync(`${path}-notifier`, { throwIfNoEntry: false });
  return sign !== undefined && Date.now() - sign.mtimeMs < SILENT_MS;
}

const SILENT_MS = 5_000;

function printStatus({ channels, dead }: NoticesStatus): void {
  if (channels.length === 0) {
    print("There are no channels. Add one to notices.channels in .ralph/config.json (docs/notices.md).");
    return;
  }
  printTable(
    ["channel", "kind", "waiting", "told", "last told", "last fault"],
    channels.map(({ channel, kind, waiting, sent, last_sent, last_error }) => [
      quoteLine(channel),
      kind,
      waiting,
      sent,
      last_sent?.slice(0, 16) ?? "never",
      last_error === null ? "" : quoteLine(last_error, 80),
    ]),
  );
  if (dead.length === 0) return;
  print("\nGiven up; `signalbox notify retry` tells them again:\n");
  printTable(
    ["notice", "channel", "tries", "fault"],
    dead.map(({ notice, channel, attempts, error }) => [
      notice,
      quoteLine(channel),
      attempts,
      quoteLine(error ?? "", 80),
    ]),
  );
}

/** Why nothing is sent; null where that may be done. */
function problemOf(path: string): string | null {
  try {
    confirmedConfig(path);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

async function test(names: readonly string[], options: CommonOptions): Promise<void> {
  const { channels } = confirmedConfig(readModelPath(options)).notices;
  const known = Object.keys(channels);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined)
    throw new ConfigError(
      `There is no channel "${missing}". ${known.length > 0 ? `The channels are ${known.join(", ")}.` : "Add one to notices.channels in .ralph/config.json (docs/notices.md)."}`,
    );
  const { openChannel } = await loadChannels();
  const tried = [];
  for (const [name, settings] of Object.entries(channels)) {
    if (names.length > 0 && !names.includes(name)) continue;
    try {
      const channel = await openChannel(name, settings);
      await channel.send(testMessage(folderOf(options)), AbortSignal.timeout(30_000));
      tried.push({ channel: name, error: null });
    } catch (error) {
      tried.push({ channel: name, error: errorMessage(error) });
    }
  }
  if (options.json) printJson({ tried });
  else
    for (const { channel, error } of tried)
      print(
        error === null
          ? `${pc.green("✓")} ${quoteLine(channel)} took the test message.`
          : `${pc.red("✗")} ${quoteLine(channel)}: ${quoteLine(error, 500)}`,
      );
  if (tried.some(({ error }) => error !== null)) process.exitCode = EXIT.refused;
}

async function retry(project: Project, notice: string | undefined, options: CommonOptions): Promise<void> {
  const events = await project.decide(retryNotices({ notice }), options.key);
  if (options.json) printJson({ retried: events.map(({ payload }) => payload) });
  else print(`${events.length === 1 ? "1 notice is" : `${events.length} notices are`} told again.`);
}
