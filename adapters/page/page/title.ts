import { useEffect } from "preact/hooks";
import { createStore } from "./store.ts";

/** The document's title, without the project's. */
export const shownName = createStore("");

export function useTitle(name: string): void {
  useEffect(() => shownName.set(name), [name]);
}
