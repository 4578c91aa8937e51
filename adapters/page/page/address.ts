import { useLocation, useSearch } from "wouter-preact";
import { createStore, useStore } from "./store.ts";

/**
 * The state of the page that a link restores: the view in the path; filters, selection and position
 * in the query.
 */
export interface Address {
  readonly path: string;
  /** A parameter of the query. */
  get(name: string): string | undefined;
  /** The shown position; undefined for the present. */
  readonly at: number | undefined;
  /**
   * An address with a changed query; undefined removes a parameter. For another view only the
   * position and the range of the time bar are kept.
   */
  with(changes: Changes, path?: string): string;
  /** Navigates to such an address. `replace` adds no entry to the browser history. */
  go(changes: Changes, options?: { path?: string; replace?: boolean }): void;
}

export type Changes = Readonly<Record<string, string | number | undefined>>;

export function useAddress(): Address {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const movedTo = useStore(moving);
  const query = movedTo === undefined ? queryIn(search) : changed(queryIn(search), { at: movedTo });
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
 * Shows another position at once and updates the address later: browsers limit the rate of address
 * changes, and a slider makes one per frame.
 */
export function moveTo(position: number): void {
  moving.set(position);
  settling ??= setTimeout(settle, SETTLE_MS);
}

/** The position that the page shows; undefined for the present. */
export function shownPosition(): number | undefined {
  return moving.get() ?? positionIn(queryIn(location.search).get("at"));
}

/** The shown position while the address has not caught up. */
const moving = createStore<number | undefined>(undefined);
let settling: ReturnType<typeof setTimeout> | undefined;
const SETTLE_MS = 500;

function settle(): void {
  const position = moving.get();
  if (position === undefined) return;
  const address = addressOf(location.pathname, queryIn(location.search), { at: position });
  history.replaceState(history.state, "", `${address}${location.hash}`);
}

// Any navigation overrides the pending position. Wouter dispatches these events on every change.
for (const name of ["popstate", "pushState", "replaceState"]) {
  addEventListener(name, () => {
    clearTimeout(settling);
    settling = undefined;
    moving.set(undefined);
  });
}

type Query = ReadonlyMap<string, string>;

/** Parsed once for each address: every card of a board asks for it. */
function queryIn(search: string): Query {
  if (search !== parsed.search) parsed = { search, query: new Map(new URLSearchParams(search)) };
  return parsed.query;
}

let parsed: { readonly search: string; readonly query: Query } = { search: "", query: new Map() };

function addressOf(path: string, query: Query, changes: Changes, other?: string): string {
  const next = changed(other === undefined || other === path ? query : kept(query), changes);
  const text = [...next].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  return text === "" ? (other ?? path) : `${other ?? path}?${text}`;
}

function changed(query: Query, changes: Changes): Query {
  const next = new Map(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/** The parameters that every view shares. */
function kept(query: Query): Query {
  return new Map([...query].filter(([name]) => name === "at" || name === "range"));
}

/** Of a parameter; a URLSearchParams for each of a board's hundreds of links takes ten times as long. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replaceAll("%20", "+");
}

/** Parses a position; undefined if the text is not one. */
export function positionIn(text: string | null | undefined): number | undefined {
  return text != null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
