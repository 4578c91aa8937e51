import { useState } from "preact/hooks";

/** Copies texts to the clipboard, and what came of the last time; a browser may not allow it. */
export function useCopy() {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  return {
    outcome,
    async copy(text: string): Promise<void> {
      try {
        await navigator.clipboard.writeText(text);
        setOutcome("copied");
      } catch {
        setOutcome("refused");
      }
    },
  };
}
