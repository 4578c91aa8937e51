import { createStore, useStore } from "../store.ts";

const narrow = upTo(640);
const oneColumn = upTo(1_000);

/** True on a screen as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useStore(narrow);
}

/** True where the page shows a list or the item opened from it, never both: on a phone, a tablet or a zoomed laptop. */
export function useHasOneColumn(): boolean {
  return useStore(oneColumn);
}

function upTo(width: number) {
  const query = matchMedia(`(max-width: ${width}px)`);
  const store = createStore(query.matches);
  query.addEventListener("change", () => store.set(query.matches));
  return store;
}
