import { useLocation, useSearch } from "wouter-preact";

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
  /** An address with some of the query changed; undefined takes away. Of another view, only the position is kept. */
  with(changes: Changes, path?: string): string;
  /** Goes to such an address. `replace` where going back should not come here again, as while typing. */
  go(changes: Changes, options?: { path?: string; replace?: boolean }): void;
}

export type Changes = Readonly<Record<string, string | number | undefined>>;

export function useAddress(): Address {
  const [path, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const to = (changes: Changes, other?: string) => addressOf(path, query, changes, other);
  return {
    path,
    get: (name) => query.get(name) ?? undefined,
    at: positionIn(query),
    with: to,
    go: (changes, { path: other, replace = false } = {}) => navigate(to(changes, other), { replace }),
  };
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

/** What another view has, too. */
function kept(query: URLSearchParams): URLSearchParams {
  const at = query.get("at");
  return new URLSearchParams(at === null ? {} : { at });
}

function positionIn(query: URLSearchParams): number | undefined {
  const text = query.get("at");
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
