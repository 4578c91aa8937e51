import { useLayoutEffect, useRef } from "preact/hooks";
import { createKeptStore } from "./store.ts";

/** A keyboard shortcut with its description for the help (`?`). */
export interface KeyBinding {
  /** As `KeyboardEvent.key` names it: `j`, `Enter`, `?`. */
  readonly key: string;
  readonly does: string;
  run(event: KeyboardEvent): void;
}

/** Whether single-key shortcuts are on (WCAG 2.1.4). */
export const letterKeys = createKeptStore("signalbox-keys", ["on", "off"], "on");

/**
 * Binds keys while the component is shown. A later binding of the same key wins.
 *
 * @param apply is asked at each key, such as for where the focus is; by default they always apply
 */
export function useKeys(area: string, bindings: readonly KeyBinding[], apply = () => true): void {
  const current = useRef({ bindings, apply });
  current.current = { bindings, apply };
  // Before the page is painted, so that a visible shortcut works.
  useLayoutEffect(() => {
    const entry = { area, bindings: () => (current.current.apply() ? current.current.bindings : []) };
    bound.push(entry);
    return () => {
      bound.splice(bound.indexOf(entry), 1);
    };
  }, [area]);
}

/** The current shortcuts by area of the page. */
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

/** True while a modal dialog takes all keys. */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** True for fields that take text. */
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

/** True for elements that handle Enter themselves. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(A|BUTTON|SUMMARY|INPUT)$/.test(target.tagName);
}
