import { useState } from "preact/hooks";

/** Copies a text, and says so. */
export function Copy({ text, what }: { text(): string; readonly what: string }) {
  const [told, setTold] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setTold("Copied.");
    } catch {
      setTold("The browser did not allow it.");
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy {what}
      </button>{" "}
      <span role="status" class="muted">
        {told}
      </span>
    </>
  );
}
