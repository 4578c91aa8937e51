import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

/** A progress bar on a terminal, nothing in a pipe; on stderr, so that what is printed stays clean. */
export function progressBar(unit: string, total: number): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { stream: process.stderr, clearOnComplete: true, format: `{bar} {value}/{total} ${unit} {note}` },
    Presets.shades_classic,
  );
  bar.start(total, 0, { note: "" });
  return {
    update: (done, note = "") => bar.update(done, { note }),
    stop: () => bar.stop(),
  };
}
