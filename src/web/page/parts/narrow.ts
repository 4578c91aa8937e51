import { createStore, useStore } from "../store.ts";

const query = matchMedia("(max-width: 640px)");
const narrow = createStore(query.matches);
query.addEventListener("change", () => narrow.set(query.matches));

/** True where the page is as wide as a phone: one thing at a time. */
export function useIsNarrow(): boolean {
  return useStore(narrow);
}
