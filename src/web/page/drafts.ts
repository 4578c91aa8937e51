import { useEffect, useState } from "preact/hooks";

/**
 * What was begun to be written, by what it is about. It is kept in the tab, so that it outlives a reload and stays out of
 * another project that is shown on the same port later.
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

/** Forgets what was begun if that has been sent; anything else that was sent leaves it. */
export function forgetDraft(about: string, sent: string): void {
  if (draftOf(about).trim() === sent) sessionStorage.removeItem(keyOf(about));
}

function keyOf(about: string): string {
  return `signalbox-draft ${about}`;
}
