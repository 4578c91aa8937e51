import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./popover.css";

interface PopoverProps {
  readonly anchor: RefObject<HTMLElement>;
  readonly id: string;
  readonly label: string;
  readonly children: ComponentChildren;
  /** `Esc` was pressed, or something was clicked that is neither in it nor its anchor. */
  onClose(): void;
}

/** Something that opens beside its anchor, above all else: no list that scrolls cuts it off. */
export function Popover({ anchor, id, label, children, onClose }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    const place = () => anchor.current && placeBeside(element, anchor.current);
    const sized = new ResizeObserver(place);
    sized.observe(element);
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("scroll", place, { capture: true, passive: true, signal });
    addEventListener("resize", place, { signal });
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      close.current();
    };
    // First of all, since Esc closes other things, too.
    addEventListener("keydown", closeOnEscape, { capture: true, signal });
    const closeOutside = ({ target }: PointerEvent) => {
      const isInside =
        target instanceof Node && (element.contains(target) || anchor.current?.contains(target));
      if (!isInside) close.current();
    };
    addEventListener("pointerdown", closeOutside, { capture: true, signal });
    return () => {
      sized.disconnect();
      listening.abort();
    };
  }, [anchor]);
  return (
    <div ref={box} popover="manual" id={id} class="popover" role="dialog" aria-label={label}>
      {children}
    </div>
  );
}

const EDGE = 8;

/** Below the anchor where there is room, else above; always within the window. */
function placeBeside(element: HTMLElement, anchor: HTMLElement): void {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const isBelow = bottom + height + EDGE <= innerHeight || innerHeight - bottom >= top;
  const room = (isBelow ? innerHeight - bottom : top) - EDGE;
  element.style.maxHeight = `${Math.max(room, 80)}px`;
  element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  element.style.top = isBelow ? `${bottom}px` : "auto";
  element.style.bottom = isBelow ? "auto" : `${innerHeight - top}px`;
}
