import { createWriteStream } from "node:fs";
import { type MonoTypeOperatorFunction, tap } from "rxjs";
import { bytes } from "../../lib/readable.ts";
import { stderrLine } from "../agent/clients.ts";
import type { OutputLine } from "../agent/facts.ts";

/**
 * Stores an agent's output in a file, up to about `limit` bytes. The last line says so: nobody shall
 * take the end of the file for the end of the run.
 */
export function keptIn(path: string, limit = LIMIT): MonoTypeOperatorFunction<OutputLine> {
  const output = createWriteStream(path, { mode: 0o600 });
  // The stored output is only for people; the session goes on without it.
  output.on("error", () => {});
  let kept = 0;
  return tap<OutputLine>({
    next: ({ text, from }) => {
      if (kept >= limit) return;
      const line = `${from === "stdout" ? text : stderrLine(text)}\n`;
      kept += Buffer.byteLength(line);
      output.write(line);
      if (kept >= limit) output.write(`More output is not kept: ${bytes(limit)} are reached.\n`);
    },
    finalize: () => void output.end(),
  });
}

const LIMIT = 50_000_000;
