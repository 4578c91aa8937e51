import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { type Changes, useAddress } from "../address.ts";
import { useKeys } from "../keys.ts";
import "./pane.css";

interface PaneProps {
  /** Names the selected item for screen readers. */
  readonly label: string;
  /** The name of the view. */
  readonly view: string;
  /** The changes that remove the selection from the address. */
  readonly close: Changes;
  /** The heading, beside the close button. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/**
 * The selected item beside its list; in one column a page of its own. Place it after the list in an
 * element of the class `panes`. `Esc` closes it and returns the focus to the row.
 */
export function Pane({ label, view, close, head, children, class: own = "", ...rest }: PaneProps) {
  const address = useAddress();
  useKeys(view, [
    {
      key: "Escape",
      does: "close the details",
      run() {
        const row = selectedRow();
        address.go(close);
        // In one column the list is rendered only after the pane has closed.
        requestAnimationFrame(() => row?.focus());
      },
    },
  ]);
  return (
    <aside class={`pane scroll ${own}`} aria-label={label} {...rest}>
      <header class="pane-head">
        <div class="pane-title">{head}</div>
        <Link class="pane-close" href={address.with(close)} title="Close (Esc)">
          <span class="in-one-column">‹ {view}</span>
          <span class="beside-list" aria-hidden="true">
            ✕
          </span>
          <span class="hidden-but-read beside-list">Close</span>
        </Link>
      </header>
      {children}
    </aside>
  );
}

/** The link or button of the selected row. */
function selectedRow(): HTMLElement | null {
  const row = document.querySelector<HTMLElement>('.panes .windowed [aria-current="true"]');
  return row?.matches("a, button") ? row : (row?.querySelector<HTMLElement>("a, button") ?? null);
}
