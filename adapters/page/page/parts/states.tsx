import type { ComponentChildren } from "preact";
import { queryClient, reading } from "../answers.ts";
import { visible } from "../core.ts";
import { isRefused } from "../request.ts";
import { useStore } from "../store.ts";
import { readingWords } from "./reading-words.ts";
import { useHasTaken } from "./time.tsx";
import "./states.css";

const DRAWN = {
  empty: "M2 9.5 4 3 H12 L14 9.5 V13 H2 Z M2 9.5 H5.5 L6.5 11 H9.5 L10.5 9.5 H14",
  loading: "M8 2.5 A5.5 5.5 0 1 1 2.5 8",
  fault: "M8 2 14.5 13.5 H1.5 Z M8 6.5 V9.5 M8 11.6 V11.5",
} as const;

interface StateProps {
  readonly look: keyof typeof DRAWN;
  readonly role?: "status" | "alert" | undefined;
  /** What is the case, and what to do next. */
  readonly children: ComponentChildren;
}

/** Stands where a part of the page has nothing to show, still loads, or failed. */
export function State({ look, role, children }: StateProps) {
  return (
    <div class="state" data-look={look} role={role}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={DRAWN[look]} />
      </svg>
      <p>{children}</p>
    </div>
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

/** Takes its room at once, but is empty for the first seconds: most answers arrive sooner. */
export function Loading({ what }: { readonly what: string }) {
  const isSlow = useHasTaken(2_000);
  const progress = useStore(reading);
  return (
    <State look="loading" role="status">
      {isSlow && `Loading ${what} …`}
      {isSlow && progress && ` (${readingWords(progress)})`}
    </State>
  );
}

interface FaultProps {
  readonly error: Error;
  /** Tries again; by default all queries that failed. */
  readonly onRetry?: () => void;
}

/** An error with the server's words; with a button where another try can help. */
export function Fault({ error, onRetry = askAgain }: FaultProps) {
  return (
    <State look="fault" role="alert">
      <MessageText text={error.message} />{" "}
      {!isRefused(error) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </State>
  );
}

function askAgain(): void {
  void queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
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
  return <State look="empty">{children}</State>;
}
