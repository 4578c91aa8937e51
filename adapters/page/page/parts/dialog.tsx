import { type ComponentChildren, Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly isOpen: boolean;
  /** Another value opens it again, with new children, also before `onClose` was called for the time before. */
  readonly opening?: unknown;
  readonly class?: string;
  /** Called after it was closed, by `Esc`, too. */
  onClose(): void;
  /** @param close closes the dialog; the focus is back where it was when it returns */
  children(close: () => void): ComponentChildren;
}

/** A modal dialog. */
export function Dialog({ label, isOpen, opening, class: own = "", children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  useLayoutEffect(() => {
    if (!isOpen) close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [isOpen, opening]);
  return (
    <dialog
      ref={dialog}
      class={`sheet ${own}`}
      aria-label={label}
      onClose={() => !dialog.current?.open && onClose()}
    >
      {isOpen && <Fragment key={opening}>{children(close)}</Fragment>}
    </dialog>
  );
}
