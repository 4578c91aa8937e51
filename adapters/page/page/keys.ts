import { useLayoutEffect, useRef } from "preact/hooks";
import { type KeyBinding, keyStep, workingKeys } from "./key-steps.ts";
import { createKeptStore, createStore } from "./store.ts";

/** Whether single-key shortcuts are on (WCAG 2.1.4). */
export const letterKeys = createKeptStore("signalbox-keys", ["on", "off"], "on");

/** The first key of a sequence while the page waits for the second. */
export const begunKey = createStore<string | undefined>(undefined);

/** The area of shortcuts that every view has, and any other may override. */
export const EVERYWHERE = "Everywhere";

/** The area of the shortcuts that go to a view. */
export const GO_TO = "Go to";

/** The area of shortcuts for the task that is focused or selected. */
export const SELECTED_TASK = "Selected task";

/** In lists: what is selected, then what is shown, then what is possible everywhere. */
function rankOf(area: string): number {
  return area === SELECTED_TASK ? -1 : [GO_TO, "Time travel", EVERYWHERE].indexOf(area) + 1;
}

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
    if (area === EVERYWHERE) bound.unshift(entry);
    else bound.push(entry);
    return () => {
      bound.splice(bound.indexOf(entry), 1);
    };
  }, [area]);
}

/** The shortcuts that work now, by area of the page: first those of what is selected and shown. */
export function boundKeys() {
  return workingKeys(
    bound.map(({ area, bindings }) => ({ area, bindings: bindings() })),
    rankOf,
  );
}

/** Runs an action by name, if it is possible now. */
export function runBound(area: string, does: string): void {
  const there = boundKeys().find((one) => one.area === area);
  there?.bindings.find((one) => one.does === does)?.run({ repeat: false });
}

const bound: { readonly area: string; bindings(): readonly KeyBinding[] }[] = [];

export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const isChord = event.ctrlKey || event.metaKey;
    const begun = isChord ? undefined : begunKey.get();
    // A key that is held down is one key.
    if (event.repeat && begun === event.key) return event.preventDefault();
    begin(undefined);
    if (!isForPage(event)) return;
    const bindings = boundKeys().flatMap((area) => area.bindings);
    const step = keyStep(
      bindings.flatMap(({ key = [] }) => key),
      nameOf(event),
      begun,
    );
    if (step || begun !== undefined) event.preventDefault();
    if (step && "begins" in step) begin(step.begins);
    else if (step) bindings.find(({ key }) => key === step.key)?.run(event);
  });
}

function isForPage(event: KeyboardEvent): boolean {
  if (isDialogOpen() || event.defaultPrevented || event.altKey || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey) return true;
  if (isWriting(event.target) || (event.key.length === 1 && letterKeys.get() === "off")) return false;
  return !((event.key === "Enter" || event.key === " ") && takesKey(event.target, event.key));
}

function nameOf({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  return ctrlKey || metaKey ? `Ctrl-${key.toLowerCase()}` : key;
}

/** Waits for the second key of a sequence; undefined ends that. */
function begin(key: string | undefined): void {
  clearTimeout(forgetting);
  begunKey.set(key);
  if (key !== undefined) forgetting = setTimeout(() => begunKey.set(undefined), SEQUENCE_MS);
}

let forgetting: ReturnType<typeof setTimeout> | undefined;
const SEQUENCE_MS = 1_500;

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

/** True for elements that handle Enter or Space themselves; a link does nothing on Space. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return /^(BUTTON|SUMMARY|INPUT)$/.test(target.tagName) || (key === "Enter" && target.tagName === "A");
}
