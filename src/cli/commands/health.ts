import { once } from "node:events";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import { z } from "zod";
import { quoteLine } from "../../lib/terminal/output.ts";
import { listDrivers, SILENCE_LIMIT_MS } from "../../loop/drivers/registry.ts";
import { servedHere } from "../../mcp/http/server-file.ts";
import { EXIT, readModelPath } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";

/** Asks processes, without the log. */
export const health = defineOutside({
  input: z.strictObject({}),
  run: (_input, options) => healthOf(readModelPath(options)),
  command: {
    name: "health",
    does: "check that the loops and the server that run here respond: exit code 0 if all do, 1 if one does not or none runs",
    takes: {},
    example: "",
    says: ({ loops, server }) => [
      ...(loops.length === 0 && !server
        ? ["No loop and no server of this folder runs here. Start `signalbox run` or `signalbox serve`."]
        : []),
      ...loops.map(({ driver, silent_ms, responds }) => {
        const seconds = Math.round(silent_ms / 1_000);
        return responds
          ? `Loop ${quoteLine(driver)} gave a sign of life ${seconds} s ago.`
          : `Loop ${quoteLine(driver)} has given no sign of life for ${seconds} s.`;
      }),
      ...(server
        ? [
            `The server at ${server.url} ${server.responds ? "answers" : `does not answer within ${ANSWER_LIMIT_MS / 1_000} s`}.`,
          ]
        : []),
    ],
  },
  afterwards({ healthy }) {
    if (!healthy) process.exitCode = EXIT.refused;
  },
});

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
