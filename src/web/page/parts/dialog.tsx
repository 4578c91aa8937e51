import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
  /** Called on `Esc`, too. */
  onClose(): void;
}

/** A modal dialog. When it closes, the focus returns to where it was. */
export function Dialog({ label, isOpen, class: own = "", children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class={`sheet ${own}`} aria-label={label} onClose={onClose}>
      {isOpen && children}
    </dialog>
  );
}
