import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import "./tip.css";

interface TipProps {
  /** What opens it. */
  readonly children: ComponentChildren;
  readonly tip: ComponentChildren;
  readonly class?: string;
}

/** Words that tell more on hover and on focus; Escape closes what they tell (WCAG 1.4.13). */
export function Tip({ children, tip, class: own = "" }: TipProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it has the focus; the tip may be pointed at, too
    <span class={`tip-place ${own}`} onMouseEnter={() => setOpen(true)} onMouseLeave={() => setOpen(false)}>
      <button
        ref={anchor}
        type="button"
        class="tip-anchor"
        aria-describedby={isOpen ? id : undefined}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <TipBody id={id} anchor={() => anchor.current} onClose={() => setOpen(false)}>
          {tip}
        </TipBody>
      )}
    </span>
  );
}

interface TipBodyProps {
  readonly id?: string;
  readonly children: ComponentChildren;
  /** What it stands beside. */
  anchor(): Element | null | undefined;
  onClose(): void;
}

/** What a tip tells, above all else and beside its anchor. */
export function TipBody({ id, anchor, children, onClose }: TipBodyProps) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [tip, at] = [body.current, anchor()?.getBoundingClientRect()];
    if (!tip || !at) return;
    if (!tip.matches(":popover-open")) tip.showPopover();
    const { width, height } = tip.getBoundingClientRect();
    const below = at.bottom + height <= window.innerHeight || at.top < height;
    tip.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
    tip.style.top = `${below ? at.bottom : at.top - height}px`;
  });
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    // Before the page's own keys: Escape closes the topmost thing alone.
    window.addEventListener("keydown", close, true);
    return () => window.removeEventListener("keydown", close, true);
  }, [onClose]);
  return (
    <div ref={body} id={id} class="tip" role="tooltip" popover="manual">
      {children}
    </div>
  );
}
