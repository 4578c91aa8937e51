/**
 * By this variable the processes of a gate's command are known, wherever they have gone: it holds the names of the run, and of the
 * runs that this one is a part of, separated by blanks.
 */
export const GATE_VARIABLE = "SIGNALBOX_GATE";

/** The runners of whose gates this process is a part, by their marks; none where it is no part of any. */
export function runnersAround(mark = process.env[GATE_VARIABLE]): ReadonlySet<string> {
  return new Set(mark?.split(" ").map((run) => run.split(".")[0] ?? run));
}
