import { useEffect, useState } from "preact/hooks";

/** A typed text after a pause in typing; an emptied one at once. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    if (text === "") settle(text);
    const timer = setTimeout(() => settle(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? text : settled;
}

const TYPING_MS = 200;
