import type { ComponentChildren, JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { useHoverOrFocus } from "./hover.ts";
import { Popover } from "./popover.tsx";
import { MessageText } from "./states.tsx";

interface ActButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "disabled" | "onClick"> {
  /** Why the button is disabled now; undefined if it is enabled. */
  readonly disabledReason: string | undefined;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
  /** Absent for a submit button. */
  onAct?(): void;
}

/**
 * A button for a change to the project. A disabled one still takes the focus, and explains itself
 * on hover, focus or tap.
 */
export function ActButton({ disabledReason, isBusy = false, onAct, children, ...rest }: ActButtonProps) {
  const { type = onAct ? "button" : "submit", ...attributes } = rest;
  const button = useRef<HTMLButtonElement>(null);
  const [isTipOpen, setTipOpen] = useState(false);
  const id = useId();
  useHoverOrFocus(button, setTipOpen);
  const cannot = disabledReason !== undefined || isBusy;
  return (
    <>
      <button
        ref={button}
        {...attributes}
        type={type}
        aria-disabled={cannot ? "true" : undefined}
        aria-description={disabledReason}
        onClick={(event) => {
          if (!cannot) return onAct?.();
          event.preventDefault();
          setTipOpen(true);
        }}
      >
        {children}
      </button>
      {disabledReason !== undefined && isTipOpen && (
        <Popover anchor={() => button.current} id={id} label={undefined} onClose={() => setTipOpen(false)}>
          <MessageText text={disabledReason} />
        </Popover>
      )}
    </>
  );
}
