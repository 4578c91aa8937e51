import { useLayoutEffect, useRef } from "preact/hooks";
import { createKeptStore } from "./store.ts";

/** A key that does something, with what it does in words: they stand in the sheet of keys (`?`). */
export interface KeyBinding {
  /** As `KeyboardEvent.key` names it: `j`, `Enter`, `?`. */
  readonly key: string;
  readonly does: string;
  run(event: KeyboardEvent): void;
}

/** Whether single letters do something: they can be switched off (WCAG 2.1.4). */
export const letterKeys = createKeptStore("signalbox-keys", ["on", "off"], "on");

/** Binds keys while the component is shown. Of two that bind the same, the later one has it. */
export function useKeys(area: string, bindings: readonly KeyBinding[]): void {
  const current = useRef(bindings);
  current.current = bindings;
  // Not after the page is painted: whoever sees what a key is for may press it.
  useLayoutEffect(() => {
    const entry = { area, bindings: () => current.current };
    bound.push(entry);
    return () => {
      bound.splice(bound.indexOf(entry), 1);
    };
  }, [area]);
}

/** Every key that does something now, by the part of the page that it belongs to. */
export function boundKeys(): readonly { readonly area: string; readonly bindings: readonly KeyBinding[] }[] {
  return bound.map(({ area, bindings }) => ({ area, bindings: bindings() }));
}

const bound: { readonly area: string; bindings(): readonly KeyBinding[] }[] = [];

export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (isDialogOpen()) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isWriting(event.target) || (event.key.length === 1 && letterKeys.get() === "off")) return;
    if ((event.key === "Enter" || event.key === " ") && isControl(event.target)) return;
    const binding = [...bound]
      .reverse()
      .flatMap(({ bindings }) => bindings())
      .find(({ key }) => key === event.key);
    if (!binding) return;
    event.preventDefault();
    binding.run(event);
  });
}

/** True while something is open that all keys are for, Escape included. */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Where somebody writes, a letter is a letter; a slider or a box to tick takes none. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target))
  );
}

function isTextInput(element: HTMLElement): boolean {
  return (
    element instanceof HTMLInputElement && !["checkbox", "radio", "range", "button"].includes(element.type)
  );
}

/** Enter on a link or a button is theirs. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(A|BUTTON|SUMMARY|INPUT)$/.test(target.tagName);
}
