import { useEffect } from "preact/hooks";
import { createStore } from "./store.ts";

/** What the page shows, as the document's title names it. */
export const shownName = createStore("");

export function useTitle(name: string): void {
  useEffect(() => shownName.set(name), [name]);
}
