import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { live } from "../live.ts";
import { unreachable } from "../request.ts";
import { Fault } from "./states.tsx";

/**
 * A component that is loaded when it is first shown, so that the page itself stays small.
 *
 * @param until the placeholder while it loads
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  until: (props: Props) => ComponentChildren,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [fault, setFault] = useState<Error>();
    const [, setLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      // Another instance may have loaded it since this one was rendered.
      if (Loaded) return setLoaded(true);
      let hasFailed = false;
      const begin = () => {
        hasFailed = false;
        load().then(
          (component) => {
            Loaded = component;
            setLoaded(true);
          },
          (error: unknown) => {
            hasFailed = true;
            setFault(faultOf(error));
          },
        );
      };
      begin();
      // What failed while the server was away is loaded once it is back.
      return live.subscribe(() => {
        if (hasFailed && live.get().state === "live") begin();
      });
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return <>{fault ? <Fault error={fault} onRetry={() => location.reload()} /> : until(props)}</>;
  };
}

function faultOf(error: unknown): Error {
  if (live.get().state === "reconnecting") return unreachable(error);
  return error instanceof Error ? error : new Error(String(error));
}
