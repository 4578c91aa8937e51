import type { Cache, OnProgress } from "../../history/time-travel/state-at.ts";
import { type Progress, progressBar } from "../printing/progress.ts";

/**
 * The history of a project for a command that looks at its past: shows on a terminal how far a long reduction has come, and says
 * in the end how the next one is made fast.
 *
 * @param warn prints a sentence on stderr
 */
export function pastCache(readModelPath: string, warn: (sentence: string) => void): Cache {
  return { readModelPath, warn, onProgress: showProgress(warn) };
}

/** The progress of one reduction after another. */
export function showProgress(warn: (sentence: string) => void): OnProgress {
  let bar: Progress | undefined;
  return ({ position, head, isFromNothing }) => {
    bar ??= progressBar("events", head);
    bar.update(position, "(Ctrl-C stops)");
    if (position < head) return;
    bar.stop();
    bar = undefined;
    if (isFromNothing)
      warn(`replayed ${head} events from the log; \`signalbox history make\` makes this fast next time`);
  };
}
