import { useEffect, useState } from "preact/hooks";
import { shownPosition } from "../address.ts";
import { askServer, queryClient } from "../answers.ts";
import { millisecondsOf } from "../parts/zone.ts";
import { createKeptStore } from "../store.ts";
import type { TimeTravel } from "./time-travel.ts";

export const speeds = ["1", "10", "100", "events"] as const;
/** A factor, or `events`: a fixed number of events per second. */
export const speed = createKeptStore("signalbox-speed", speeds, "10");

/** Events per second. */
const EVENTS_PER_S = 50;
/** Longer gaps between events are cut to this. */
const LONGEST_MS = 1_000;
const PAGE = 500;

/**
 * Plays the log from the shown position, or from the start of the time bar in the present.
 * Navigating away stops playback.
 */
export function usePlay({ position, from, head, isPast, move }: TimeTravel) {
  const [isPlaying, setPlaying] = useState(false);
  /** The length of the gap that is being cut. */
  const [idle_ms, setIdle] = useState<number>();
  useEffect(() => {
    if (!isPlaying) return;
    const times = readTimes();
    let at = isPast ? position : from;
    let left_ms = 0;
    let before_ms = performance.now();
    let frame = 0;
    const stop = () => setPlaying(false);
    if (!isPast) move(at);
    const show = (now_ms: number) => {
      if (shownPosition() !== at) return stop();
      left_ms = Math.min(left_ms + now_ms - before_ms, LONGEST_MS);
      before_ms = now_ms;
      const start = at;
      let cut_ms: number | undefined;
      while (at < head) {
        const step = stepAfter(times, at);
        if (step === undefined) break;
        const taken_ms = Math.min(step.ms, LONGEST_MS);
        if (step.ms > LONGEST_MS) cut_ms = step.idle_ms;
        if (left_ms < taken_ms) break;
        left_ms -= taken_ms;
        at += 1;
      }
      setIdle(cut_ms);
      if (at !== start) move(at);
      if (at >= head) return stop();
      frame = requestAnimationFrame(show);
    };
    frame = requestAnimationFrame(show);
    return () => {
      cancelAnimationFrame(frame);
      setIdle(undefined);
    };
  }, [isPlaying]);
  return { isPlaying, idle_ms, toggle: () => setPlaying(!isPlaying), stop: () => setPlaying(false) };
}

type Times = ReturnType<typeof readTimes>;

/** When events were recorded, loaded in pages on demand; undefined until loaded. */
function readTimes() {
  const pages = new Map<number, readonly number[] | "asked">();
  const need = (page: number) => {
    if (pages.has(page)) return;
    pages.set(page, "asked");
    const query = { after: page * PAGE, limit: PAGE };
    queryClient
      .fetchQuery({
        queryKey: ["log", query, "played"],
        queryFn: ({ signal }) => askServer("log", query, undefined, signal),
      })
      .then(
        ({ answer }) =>
          pages.set(
            page,
            answer.map(({ recordedAt }) => millisecondsOf(recordedAt)),
          ),
        () => pages.delete(page),
      );
  };
  return (position: number): number | undefined => {
    const page = Math.floor((position - 1) / PAGE);
    need(page);
    const times = pages.get(page);
    if (times === undefined || times === "asked") return undefined;
    if ((position - 1) % PAGE > PAGE / 2) need(page + 1);
    return times[(position - 1) % PAGE];
  };
}

/** How long to wait for the next event, and the real gap, in milliseconds; undefined until loaded. */
function stepAfter(
  times: Times,
  position: number,
): { readonly ms: number; readonly idle_ms: number } | undefined {
  const chosen = speed.get();
  if (chosen === "events") return { ms: 1_000 / EVENTS_PER_S, idle_ms: 0 };
  if (position === 0) return { ms: 0, idle_ms: 0 };
  const [time, next] = [times(position), times(position + 1)];
  if (time === undefined || next === undefined) return undefined;
  return { ms: (next - time) / Number(chosen), idle_ms: next - time };
}
