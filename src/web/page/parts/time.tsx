import { useEffect, useState } from "preact/hooks";
import { counted } from "../../../lib/readable.ts";
import { createStore, useStore } from "../store.ts";
import { millisecondsOf, momentIn, zone } from "./zone.ts";

/** The time now, each second: what is relative ticks by itself. */
const clock = createStore(Date.now());
setInterval(() => clock.set(Date.now()), 1_000);

/** When the moment of the past was that the page shows, in milliseconds since 1970; undefined for the present. */
export const shownMoment = createStore<number | undefined>(undefined);

/** How long ago something was at the moment that is shown; when it was on hover. */
export function Ago({ time }: { readonly time: string }) {
  return <Relative time={time} now={useNow()} />;
}

/** How long ago something was, whatever the page shows. */
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

/** When something was, with its zone; how long ago on hover. */
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
 * The time now in milliseconds since 1970, each second anew; of the past the moment that is shown, which stands still.
 *
 * @param stopped where the moment is known better
 */
export function useNow(stopped?: number): number {
  const now = useStore(clock);
  const shown = useStore(shownMoment);
  return stopped ?? shown ?? now;
}

/** The time now in milliseconds since 1970, each second anew, whatever the page shows. */
export function useClock(): number {
  return useStore(clock);
}

/** A moment with its zone. */
export function Moment({ time }: { readonly time: string }) {
  return <time dateTime={time}>{useMoment(time)}</time>;
}

/** How long something lasts that goes on. */
export function Since({ time }: { readonly time: string }) {
  const now = useNow();
  return <>{durationOf(Math.max(0, now - millisecondsOf(time)))}</>;
}

/** How long something has lasted: until a moment, or until now where it goes on. */
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

/** True once something has taken so long that people want to be told. */
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
