import { useEffect, useState } from "preact/hooks";

/** A value that several parts of the page look at. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The same, kept in the browser from one visit to the next. */
export function createKeptStore<Value extends string>(
  key: string,
  allowed: readonly Value[],
  first: Value,
): Store<Value> {
  const kept = allowed.find((value) => value === localStorage.getItem(key));
  const store = createStore(kept ?? first);
  store.subscribe(() => localStorage.setItem(key, store.get()));
  return store;
}

/** What a store holds; the component is drawn again when `pick` gives something else. */
export function useStore<Value, Picked = Value>(
  store: Store<Value>,
  pick: (value: Value) => Picked = (value) => value as unknown as Picked,
): Picked {
  const [picked, setPicked] = useState(() => pick(store.get()));
  useEffect(() => {
    const look = () => setPicked(() => pick(store.get()));
    look();
    return store.subscribe(look);
    // What is picked does not depend on anything else.
  }, [store]);
  return picked;
}
