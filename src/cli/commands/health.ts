import { once } from "node:events";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import type { Command } from "commander";
import { print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { listDrivers, SILENCE_LIMIT_MS } from "../../loop/drivers/registry.ts";
import { servedHere } from "../../mcp/http/server-file.ts";
import { type CommonOptions, EXIT, guarded, projectOptions, readModelPath } from "../making/command.ts";

export function addHealth(program: Command): void {
  projectOptions(
    program
      .command("health")
      .description(
        "check that the loops and the server that run here respond: exit code 0 if all do, 1 if one does not or none runs",
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox health")
    .action((options: CommonOptions) =>
      guarded(async () => {
        const health = await healthOf(readModelPath(options));
        if (options.json) printJson(health);
        else show(health);
        if (!health.healthy) process.exitCode = EXIT.refused;
      }),
    );
}

type Health = Awaited<ReturnType<typeof healthOf>>;

/** Of this machine, or this container, alone: what runs elsewhere in the same folder says nothing about it. */
async function healthOf(readModelPath: string) {
  const loops = listDrivers(readModelPath)
    .filter(({ runs }) => runs)
    .map(({ driver, silent_ms }) => ({ driver, silent_ms, responds: silent_ms < SILENCE_LIMIT_MS }));
  const url = servedHere(readModelPath);
  const server = url === undefined ? null : { url, responds: await answers(url) };
  const all = server ? [...loops, server] : loops;
  return { healthy: all.length > 0 && all.every(({ responds }) => responds), loops, server };
}

const ANSWER_LIMIT_MS = 5_000;

/** Whether a server answers at all: without a token it refuses, and that is an answer. */
async function answers(url: string): Promise<boolean> {
  // Its certificate is that of the name by which others reach it.
  const asked = url.startsWith("https:") ? requestTls(url, { rejectUnauthorized: false }) : request(url);
  // Cut off below, it says so once more.
  asked.on("error", () => {}).end();
  try {
    await once(asked, "response", { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    asked.destroy();
  }
}

function show({ loops, server }: Health): void {
  if (loops.length === 0 && !server)
    print("No loop and no server of this folder runs here. Start `signalbox run` or `signalbox serve`.");
  for (const { driver, silent_ms, responds } of loops) {
    const seconds = Math.round(silent_ms / 1_000);
    print(
      responds
        ? `Loop ${quoteLine(driver)} gave a sign of life ${seconds} s ago.`
        : `Loop ${quoteLine(driver)} has given no sign of life for ${seconds} s.`,
    );
  }
  if (server)
    print(
      server.responds
        ? `The server at ${server.url} answers.`
        : `The server at ${server.url} does not answer within ${ANSWER_LIMIT_MS / 1_000} s.`,
    );
}
