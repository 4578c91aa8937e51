import { useEffect, useState } from "preact/hooks";
import { counted } from "../core.ts";
import { createStore, useStore } from "../store.ts";
import { millisecondsOf, momentIn, zone } from "./zone.ts";

/** The current time, updated every second, so that relative times tick. */
const clock = createStore(Date.now());
setInterval(() => clock.set(Date.now()), 1_000);

/** The shown moment of the past, in milliseconds since 1970; undefined for the present. */
export const shownMoment = createStore<number | undefined>(undefined);

/** How long ago something was at the shown moment; the date is in the tooltip. */
export function Ago({ time }: { readonly time: string }) {
  return <Relative time={time} now={useNow()} />;
}

/** How long ago something was, also while the page shows the past. */
export function AgoInPresent({ time }: { readonly time: string }) {
  return <Relative time={time} now={useStore(clock)} />;
}

function Relative({ time, now }: { readonly time: string; readonly now: number }) {
  return (
    <time dateTime={time} title={useMoment(time)}>
      {agoOf(time, now)}
    </time>
  );
}

/** A date and time with its zone; how long ago is in the tooltip. */
export function When({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={agoOf(time, useNow())}>
      {useMoment(time)}
    </time>
  );
}

function agoOf(time: string, now: number): string {
  return `${durationOf(Math.max(0, now - millisecondsOf(time)))} ago`;
}

/**
 * The current time in milliseconds since 1970, updated every second; in the past the shown moment.
 *
 * @param stopped overrides it
 */
export function useNow(stopped?: number): number {
  const now = useStore(clock);
  const shown = useStore(shownMoment);
  return stopped ?? shown ?? now;
}

/** The current time in milliseconds since 1970, updated every second, also in the past. */
export function useClock(): number {
  return useStore(clock);
}

/** A date and time with its zone. */
export function Moment({ time }: { readonly time: string }) {
  return <time dateTime={time}>{useMoment(time)}</time>;
}

/** The duration of something that is still going on. */
export function Since({ time }: { readonly time: string }) {
  const now = useNow();
  return <>{durationOf(Math.max(0, now - millisecondsOf(time)))}</>;
}

/** A duration until a time, or until now. */
export function Lasting({ from, until }: { readonly from: string; readonly until: string | undefined }) {
  if (until === undefined) return <Since time={from} />;
  return <>{durationOf(Math.max(0, millisecondsOf(until) - millisecondsOf(from)))}</>;
}

export function Countdown({ to }: { readonly to: number }) {
  const now = useStore(clock);
  const left = Math.max(0, Math.ceil((to - now) / 1_000));
  return <>{left === 0 ? "now" : `in ${left} s`}</>;
}

/** Milliseconds in words: `4 s`, `12 min`, `3 h 20 min`, `5 days`. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.floor(hours / 24), "day");
}

/** True after this many milliseconds. */
export function useHasTaken(milliseconds: number): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHas(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return has;
}

function useMoment(time: string): string {
  return momentIn(useStore(zone), millisecondsOf(time));
}
