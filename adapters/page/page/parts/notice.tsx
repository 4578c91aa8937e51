import type { ComponentChildren } from "preact";
import { useDisabledReason } from "../acts.ts";
import { ActButton } from "./act-button.tsx";
import "./notice.css";

interface NoticeProps {
  /** Empty while there is nothing to say. */
  readonly children: ComponentChildren;
  readonly isBusy?: boolean;
  /** Undoes the last action; absent if it cannot be undone. */
  readonly onUndo?: (() => void) | undefined;
}

/** The outcome of the last action in a view, at its foot. */
export function Notice({ children, isBusy = false, onUndo }: NoticeProps) {
  const disabledReason = useDisabledReason("answer");
  return (
    <p class="notice" role="status">
      {children}
      {onUndo && (
        <ActButton disabledReason={disabledReason} isBusy={isBusy} onAct={onUndo}>
          Undo (z)
        </ActButton>
      )}
    </p>
  );
}
