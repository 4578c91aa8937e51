import { useLocation, useSearch } from "wouter-preact";
import { createStore, useStore } from "./store.ts";

/**
 * Where the page is: everything that a link must show again stands in its address: the view in its path, filters, selection
 * and the position of the past in its query.
 */
export interface Address {
  readonly path: string;
  /** What the query has under a name. */
  get(name: string): string | undefined;
  /** The position that is looked at; undefined for the present. */
  readonly at: number | undefined;
  /** An address with some of the query changed; undefined takes away. Of another view, only the position and the range of the time bar are kept. */
  with(changes: Changes, path?: string): string;
  /** Goes to such an address. `replace` where going back should not come here again, as while typing. */
  go(changes: Changes, options?: { path?: string; replace?: boolean }): void;
}

export type Changes = Readonly<Record<string, string | number | undefined>>;

export function useAddress(): Address {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const movedTo = useStore(moving);
  const query = new URLSearchParams(search);
  if (movedTo !== undefined) query.set("at", String(movedTo));
  const to = (changes: Changes, other?: string) => addressOf(path, query, changes, other);
  return {
    path,
    get: (name) => query.get(name) ?? undefined,
    at: positionIn(query.get("at")),
    with: to,
    go: (changes, { path: other, replace = false } = {}) => navigate(to(changes, other), { replace }),
  };
}

/**
 * Shows another position at once, and puts it into the address soon: browsers take no more than a few changes of that in a
 * second, and a slider gives one for each frame.
 */
export function moveTo(position: number): void {
  moving.set(position);
  settling ??= setTimeout(settle, SETTLE_MS);
}

/** The position that the page shows now; undefined for the present. */
export function shownPosition(): number | undefined {
  return moving.get() ?? positionIn(new URLSearchParams(location.search).get("at"));
}

/** The position that is ahead of the address while somebody moves in time. */
const moving = createStore<number | undefined>(undefined);
let settling: ReturnType<typeof setTimeout> | undefined;
const SETTLE_MS = 500;

function settle(): void {
  const position = moving.get();
  if (position === undefined) return;
  const query = new URLSearchParams(location.search);
  query.set("at", String(position));
  history.replaceState(history.state, "", `${location.pathname}?${query}${location.hash}`);
}

// Whoever goes anywhere else goes on from there: wouter tells of all that changes the address by these.
for (const name of ["popstate", "pushState", "replaceState"]) {
  addEventListener(name, () => {
    clearTimeout(settling);
    settling = undefined;
    moving.set(undefined);
  });
}

function addressOf(path: string, query: URLSearchParams, changes: Changes, other?: string): string {
  const next = new URLSearchParams(other === undefined || other === path ? query : kept(query));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const text = next.toString();
  return text === "" ? (other ?? path) : `${other ?? path}?${text}`;
}

/** What another view has, too: where in time the page is. */
function kept(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name === "at" || name === "range"));
}

/** The position that a text of the address is; undefined where it is none. */
export function positionIn(text: string | null | undefined): number | undefined {
  return text != null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
