import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isDialogOpen } from "../keys.ts";
import "./popover.css";

interface PopoverProps {
  readonly id: string;
  /** The label of a dialog with focusable content; undefined for a tooltip. */
  readonly label: string | undefined;
  readonly children: ComponentChildren;
  /** The element it opens beside. */
  anchor(): HTMLElement | null | undefined;
  /** Called on `Esc` and on a click outside the popover and its anchor. */
  onClose(): void;
}

/** Opens beside its anchor in the top layer, so that no scrolling list clips it. */
export function Popover({ id, label, children, anchor, onClose }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const now = useRef({ anchor, onClose });
  now.current = { anchor, onClose };
  const place = () => box.current && placeBeside(box.current, now.current.anchor());
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    const sized = new ResizeObserver(place);
    sized.observe(element);
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("scroll", place, { capture: true, passive: true, signal });
    addEventListener("resize", place, { signal });
    const closeOnEscape = (event: KeyboardEvent) => {
      // An open dialog is closed first, unless the popover is inside it.
      if (event.key !== "Escape" || (isDialogOpen() && !element.closest("dialog"))) return;
      event.preventDefault();
      event.stopPropagation();
      now.current.onClose();
    };
    // Captured first, since Esc closes other things, too.
    addEventListener("keydown", closeOnEscape, { capture: true, signal });
    const closeOutside = ({ target }: PointerEvent) => {
      const isInside =
        target instanceof Node && (element.contains(target) || now.current.anchor()?.contains(target));
      if (!isInside) now.current.onClose();
    };
    addEventListener("pointerdown", closeOutside, { capture: true, signal });
    return () => {
      sized.disconnect();
      listening.abort();
    };
  }, []);
  // The anchor may have changed.
  useLayoutEffect(() => void place());
  return (
    <div
      ref={box}
      popover="manual"
      id={id}
      class="popover"
      {...(label === undefined ? { role: "tooltip" } : { role: "dialog", "aria-label": label })}
    >
      {children}
    </div>
  );
}

const EDGE = 8;

/** Below the anchor where there is room, else above; always within the window. */
function placeBeside(element: HTMLElement, anchor: HTMLElement | null | undefined): void {
  if (!anchor) return;
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const isBelow = bottom + height + EDGE <= innerHeight || innerHeight - bottom >= top;
  const room = (isBelow ? innerHeight - bottom : top) - EDGE;
  element.style.maxHeight = `${Math.max(room, 80)}px`;
  element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  element.style.top = isBelow ? `${bottom}px` : "auto";
  element.style.bottom = isBelow ? "auto" : `${innerHeight - top}px`;
}
