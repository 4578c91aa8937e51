import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

/** Copies texts to the clipboard. Where the browser does not allow it, `toSelect` is the text to copy by hand. */
export function useCopy() {
  const [copied, setCopied] = useState(0);
  const [toSelect, setToSelect] = useState<string>();
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied: copied > 0,
    toSelect,
    close: () => setToSelect(undefined),
    async copy(text: string): Promise<void> {
      try {
        // Only a secure origin has a clipboard; a panel on another machine is not one.
        await navigator.clipboard.writeText(text);
        setCopied((times) => times + 1);
      } catch {
        setToSelect(text);
      }
    },
  };
}
