import { statSync } from "node:fs";
import { z } from "zod";
import { loadChannels } from "../../adapters.ts";
import { ConfigError, readConfig } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { pc, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { retryNotices } from "../../outside/notices/retry.ts";
import { type NoticesStatus, noticesStatus } from "../../outside/notices/status.ts";
import { testMessage } from "../../outside/notices/test-message.ts";
import { EXIT, folderOf, projectOptions, readModelPath } from "../making/command.ts";
import { defineCommand, defineOutside } from "../making/project-command.ts";

/** No reading: it looks at the configuration and at the process that tells. */
const status = defineCommand({
  input: z.strictObject({}),
  options: projectOptions,
  async run(project, _input, options) {
    const path = readModelPath(options);
    const config = readConfig(path);
    const now_ms = project.store.environment.now() / 1_000;
    const shown = await project.ask((tables) => noticesStatus(tables, config, now_ms));
    return { ...shown, telling: isTelling(path), problem: problemOf(path) };
  },
  command: {
    name: "status",
    isDefault: true,
    does: "show each channel: what waits, what was told, and what was given up",
    takes: {},
    example: "--json",
    says: ({ telling, problem, ...shown }) => [
      ...statusLines(shown),
      ...(problem !== null
        ? [`\n${pc.yellow(quoteLine(problem, 500))}`]
        : shown.channels.length > 0 && !telling
          ? ["\nNo process tells them now: `signalbox serve` and `signalbox run` do while they run."]
          : []),
    ],
  },
});

/** Whether a process tells now: it shows that it lives several times a second. */
function isTelling(path: string): boolean {
  const sign = statSync(`${path}-notifier`, { throwIfNoEntry: false });
  return sign !== undefined && Date.now() - sign.mtimeMs < SILENT_MS;
}

const SILENT_MS = 5_000;

function statusLines({ channels, dead }: NoticesStatus): string[] {
  if (channels.length === 0)
    return ["There are no channels. Add one to notices.channels in .ralph/config.json (docs/notices.md)."];
  const lines = tableLines(
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
  if (dead.length === 0) return lines;
  const givenUp = tableLines(
    ["notice", "channel", "tries", "fault"],
    dead.map(({ notice, channel, attempts, error }) => [
      notice,
      quoteLine(channel),
      attempts,
      quoteLine(error ?? "", 80),
    ]),
  );
  return [...lines, "\nGiven up; `signalbox notify retry` tells them again:\n", ...givenUp];
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

const test = defineOutside({
  input: z.strictObject({ channels: z.array(z.string()) }),
  async run({ channels: names }, options) {
    const { channels } = confirmedConfig(readModelPath(options)).notices;
    const known = Object.keys(channels);
    const missing = names.find((name) => !known.includes(name));
    if (missing !== undefined)
      throw new ConfigError(
        `There is no channel "${missing}". ${known.length > 0 ? `The channels are ${known.join(", ")}.` : "Add one to notices.channels in .ralph/config.json (docs/notices.md)."}`,
      );
    const { openChannel } = await loadChannels();
    const tried: { readonly channel: string; readonly error: string | null }[] = [];
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
    return { tried };
  },
  command: {
    name: "test",
    does: "send a test message, which nothing records",
    takes: { channels: ["[channels...]", "channels by their names in the configuration; all, if absent"] },
    example: "phone",
    says: ({ tried }) =>
      tried.map(({ channel, error }) =>
        error === null
          ? `${pc.green("✓")} ${quoteLine(channel)} took the test message.`
          : `${pc.red("✗")} ${quoteLine(channel)}: ${quoteLine(error, 500)}`,
      ),
  },
  afterwards({ tried }) {
    if (tried.some(({ error }) => error !== null)) process.exitCode = EXIT.refused;
  },
});

const retry = defineCommand({
  input: z.strictObject({ notice: z.string().optional() }),
  async run(project, { notice }, { key }) {
    const events = await project.decide(retryNotices({ notice }), key);
    return { retried: events.map(({ payload }) => payload) };
  },
  command: {
    name: "retry",
    does: "tell again what was given up",
    takes: {
      notice: ["[notice]", "the id of one, as `notify status` shows it; all that were given up, if absent"],
    },
    example: "",
    says: ({ retried }) =>
      `${retried.length === 1 ? "1 notice is" : `${retried.length} notices are`} told again.`,
  },
});

export const notifying = {
  name: "notify",
  does: "how people are told what waits for them",
  has: [status, test, retry],
};
