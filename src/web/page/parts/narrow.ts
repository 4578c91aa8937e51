import { createStore, useStore } from "../store.ts";

const query = matchMedia("(max-width: 640px)");
const narrow = createStore(query.matches);
query.addEventListener("change", () => narrow.set(query.matches));

/** True on a screen as narrow as a phone, which shows one pane at a time. */
export function useIsNarrow(): boolean {
  return useStore(narrow);
}
