import { useEffect, useState } from "preact/hooks";

/** A value that parts of the page share. */
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

/** A store that is kept in local storage. */
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

/** The value of a store; the component renders again when `pick` returns another value. */
export function useStore<Value, Picked = Value>(
  store: Store<Value>,
  pick: (value: Value) => Picked = (value) => value as unknown as Picked,
): Picked {
  const [picked, setPicked] = useState(() => pick(store.get()));
  useEffect(() => {
    const look = () => setPicked(() => pick(store.get()));
    look();
    return store.subscribe(look);
    // `pick` depends on nothing else.
  }, [store]);
  return picked;
}
