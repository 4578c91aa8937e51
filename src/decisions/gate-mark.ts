/**
 * This variable identifies the processes of a gate's command wherever they go: it holds the marks
 * of the run and of the runs around it, separated by blanks.
 */
export const GATE_VARIABLE = "SIGNALBOX_GATE";

/** The runners whose gates contain this process, by their marks; empty outside gates. */
export function runnersAround(mark = process.env[GATE_VARIABLE]): ReadonlySet<string> {
  return new Set(mark?.split(" ").map((run) => run.split(".")[0] ?? run));
}
