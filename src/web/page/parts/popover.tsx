import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isDialogOpen } from "../keys.ts";
import "./popover.css";

interface PopoverProps {
  readonly id: string;
  /** What it is, where there is something in it to go to; a tooltip, without one, describes its anchor. */
  readonly label: string | undefined;
  readonly children: ComponentChildren;
  /** What it stands beside. */
  anchor(): HTMLElement | null | undefined;
  /** `Esc` was pressed, or something was clicked that is neither in it nor its anchor. */
  onClose(): void;
}

/** Something that opens beside its anchor, above all else: no list that scrolls cuts it off. */
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
      // A dialog stands above it and is closed first; what opened within one goes before it.
      if (event.key !== "Escape" || (isDialogOpen() && !element.closest("dialog"))) return;
      event.preventDefault();
      event.stopPropagation();
      now.current.onClose();
    };
    // First of all, since Esc closes other things, too.
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
  // What it stands beside may be something else than before.
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
