import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly class?: string;
  /** Called after it was closed, by `Esc`, too. */
  onClose(): void;
  /** @param close closes the dialog; the focus is back where it was when it returns */
  children(close: () => void): ComponentChildren;
}

/** A modal dialog. */
export function Dialog({ label, isOpen, class: own = "", children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class={`sheet ${own}`} aria-label={label} onClose={onClose}>
      {isOpen && children(close)}
    </dialog>
  );
}
