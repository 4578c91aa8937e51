import type { ComponentChildren } from "preact";
import { visible } from "../../../events/visible.ts";
import { useHasTaken } from "./time.tsx";

/** Empty for the first seconds: most answers arrive sooner. */
export function Loading({ what }: { readonly what: string }) {
  const isSlow = useHasTaken(2_000);
  return (
    <p class="state muted" role="status">
      {isSlow ? `Loading ${what} …` : ""}
    </p>
  );
}

/** A whole view without its answer, under the view's name: what went wrong, or that it loads. */
export function Unanswered({
  view,
  what,
  error,
}: {
  readonly view: string;
  readonly what: string;
  readonly error?: Error | undefined;
}) {
  return (
    <>
      <h1 class="hidden-but-read">{view}</h1>
      {error ? <Fault error={error} /> : <Loading what={what} />}
    </>
  );
}

export function Fault({ error }: { readonly error: Error }) {
  return (
    <p class="fault" role="alert">
      <MessageText text={error.message} />
    </p>
  );
}

/** A message of the server: untrusted characters are escaped, text in backquotes is code. */
export function MessageText({ text }: { readonly text: string }) {
  return (
    <>
      {visible(text)
        .split("`")
        .map((part, nth) => (nth % 2 === 0 ? part : <code>{part}</code>))}
    </>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="state muted">{children}</p>;
}
