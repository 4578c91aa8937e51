import { useEffect, useState } from "preact/hooks";

/**
 * An unsent text, by its subject. It is kept in the tab: it survives a reload, and does not appear in
 * another project that uses the same port later.
 */
export function useDraft(about: string): readonly [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => draftOf(about));
  useEffect(() => setText(draftOf(about)), [about]);
  return [
    text,
    (next) => {
      setText(next);
      if (next === "") sessionStorage.removeItem(keyOf(about));
      else sessionStorage.setItem(keyOf(about), next);
    },
  ];
}

export function draftOf(about: string): string {
  return sessionStorage.getItem(keyOf(about)) ?? "";
}

/** Removes a draft after it was sent, unless it was edited since. */
export function forgetDraft(about: string, sent: string): void {
  if (draftOf(about).trim() === sent) sessionStorage.removeItem(keyOf(about));
}

function keyOf(about: string): string {
  return `signalbox-draft ${about}`;
}
