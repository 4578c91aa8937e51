import type { ComponentChildren } from "preact";
import { useWhyNoActs } from "../acts.ts";
import { ActButton } from "./act-button.tsx";
import "./notice.css";

interface NoticeProps {
  /** Nothing while there is nothing to say. */
  readonly children: ComponentChildren;
  readonly isBusy?: boolean;
  /** Takes back what was done last; absent where that cannot be taken back. */
  readonly onUndo?: (() => void) | undefined;
}

/** What was done last in a view, or why it was not, at its foot. */
export function Notice({ children, isBusy = false, onUndo }: NoticeProps) {
  const whyNot = useWhyNoActs();
  return (
    <p class="notice" role="status">
      {children}
      {onUndo && (
        <ActButton whyNot={whyNot} isBusy={isBusy} onAct={onUndo}>
          Undo (z)
        </ActButton>
      )}
    </p>
  );
}
