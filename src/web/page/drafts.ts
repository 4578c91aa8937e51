import { useEffect, useState } from "preact/hooks";

/** What was begun to be written, by what it is about: it outlives a reload, and is of this page alone. */
export function useDraft(about: string): readonly [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => draftOf(about));
  useEffect(() => setText(draftOf(about)), [about]);
  return [
    text,
    (next) => {
      setText(next);
      if (next === "") forgetDraft(about);
      else sessionStorage.setItem(keyOf(about), next);
    },
  ];
}

export function draftOf(about: string): string {
  return sessionStorage.getItem(keyOf(about)) ?? "";
}

/** What was written has been sent. */
export function forgetDraft(about: string): void {
  sessionStorage.removeItem(keyOf(about));
}

function keyOf(about: string): string {
  return `signalbox-draft ${about}`;
}
