import { useState } from "preact/hooks";

/** Copies texts to the clipboard, and reports whether the browser allowed it. */
export function useCopy() {
  const [told, setTold] = useState("");
  return {
    told,
    async copy(text: string): Promise<void> {
      try {
        // Only a secure origin has a clipboard; a panel on another machine is not one.
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
