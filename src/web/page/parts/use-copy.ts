import { useState } from "preact/hooks";

/** Copies texts to the clipboard, and says what came of the last time; a browser may not allow it. */
export function useCopy() {
  const [told, setTold] = useState("");
  return {
    told,
    async copy(text: string): Promise<void> {
      try {
        // Only a secure origin has a clipboard, and a panel on another machine is none.
        await navigator.clipboard.writeText(text);
        setTold("Copied.");
      } catch {
        setTold(isSecureContext ? NOT_ALLOWED : NOT_HERE);
      }
    },
  };
}

const NOT_ALLOWED = "The browser did not allow copying.";
const NOT_HERE = "Browsers allow copying only on localhost or https. Select the text and copy it by hand.";
