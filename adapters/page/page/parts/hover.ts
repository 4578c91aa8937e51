import { useEffect } from "preact/hooks";

/** Delays, so that the pointer may cross the gap to the popover, or pass over the area. */
const OPEN_MS = 120;
const CLOSE_MS = 250;

/** Opens while the pointer or the focus is in an area, then closes (WCAG 1.4.13). */
export function useHoverOrFocus(
  area: { readonly current: HTMLElement | null },
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (open: boolean, milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(open), milliseconds);
    };
    const hasFocus = () => element.contains(document.activeElement);
    const listening = new AbortController();
    const { signal } = listening;
    const enter = ({ pointerType }: PointerEvent) => pointerType === "mouse" && later(true, OPEN_MS);
    element.addEventListener("pointerenter", enter, { signal });
    element.addEventListener("pointerleave", () => !hasFocus() && later(false, CLOSE_MS), { signal });
    element.addEventListener("focusin", () => later(true, 0), { signal });
    element.addEventListener(
      "focusout",
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) later(false, 0);
      },
      { signal },
    );
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [area, setOpen]);
}
