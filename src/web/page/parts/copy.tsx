import { useCopy } from "./use-copy.ts";

/** A button that copies a text and confirms it. */
export function Copy({ text, what }: { text(): string; readonly what: string }) {
  const { told, copy } = useCopy();
  return (
    <>
      <button type="button" onClick={() => void copy(text())}>
        Copy {what}
      </button>{" "}
      <span role="status" class="muted">
        {told}
      </span>
    </>
  );
}
