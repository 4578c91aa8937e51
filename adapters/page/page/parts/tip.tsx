import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { useHoverOrFocus } from "./hover.ts";
import { Popover } from "./popover.tsx";
import "./tip.css";

interface TipProps {
  /** The content of the button. */
  readonly children: ComponentChildren;
  readonly tip: ComponentChildren;
  readonly class?: string;
  /** The class of the button. */
  readonly look?: "tip-button" | "why-button";
  /** The label of a tip with focusable content, such as links; undefined for a plain tooltip. */
  readonly label?: string;
}

/** A button that shows a tip on hover, focus or tap; `Esc` closes it (WCAG 1.4.13). */
export function Tip({ children, tip, class: own = "", look = "tip-button", label }: TipProps) {
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useHoverOrFocus(area, setOpen);
  const told = isOpen ? id : undefined;
  return (
    <span ref={area} class={`tip ${own}`}>
      <button
        ref={button}
        type="button"
        class={look}
        {...(label === undefined
          ? { "aria-describedby": told }
          : { "aria-expanded": isOpen, "aria-controls": told })}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <Popover anchor={() => button.current} id={id} label={label} onClose={() => setOpen(false)}>
          {tip}
        </Popover>
      )}
    </span>
  );
}
