import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Fault, Loading } from "../parts/states.tsx";

/** A view that is loaded when it is first shown, so that the page itself stays small. */
export function lazily(load: () => Promise<ComponentType>): ComponentType {
  let Loaded: ComponentType | undefined;
  return function Lazy() {
    const [fault, setFault] = useState<Error>();
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (component) => {
          Loaded = component;
          setLoaded(true);
        },
        (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
      );
    }, []);
    if (Loaded) return <Loaded />;
    return fault ? <Fault error={fault} /> : <Loading what="this view" />;
  };
}
