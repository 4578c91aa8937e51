import type { ComponentChildren } from "preact";
import { useHasTaken } from "./time.tsx";

/** Nothing for a moment, then words: most answers are there before anybody could read them. */
export function Loading({ what }: { readonly what: string }) {
  const isSlow = useHasTaken(2_000);
  return (
    <p class="state muted" role="status">
      {isSlow ? `Reading ${what} …` : ""}
    </p>
  );
}

export function Fault({ error }: { readonly error: Error }) {
  return (
    <p class="fault" role="alert">
      {error.message}
    </p>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="state muted">{children}</p>;
}
