import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { type Changes, useAddress } from "../address.ts";
import { useKeys } from "../keys.ts";
import "./pane.css";

interface PaneProps {
  /** What is selected, for those who do not see it. */
  readonly label: string;
  /** The view that it is selected in. */
  readonly view: string;
  /** What takes it out of the address. */
  readonly close: Changes;
  /** What stands beside the way to close it. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/**
 * What is selected, beside the list in which it is; on a phone a page of its own. To stand in an element of the class
 * `panes`, after the list. `Esc` closes it and gives the focus back to what was selected.
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
        // Of a phone, the list is there again only when it is drawn.
        requestAnimationFrame(() => row?.focus());
      },
    },
  ]);
  return (
    <aside class={`pane scroll ${own}`} aria-label={label} {...rest}>
      <header class="pane-head">
        <div class="pane-title">{head}</div>
        <Link class="pane-close" href={address.with(close)} title="Close (Esc)">
          <span class="on-phone">‹ {view}</span>
          <span class="off-phone" aria-hidden="true">
            ✕
          </span>
          <span class="hidden-but-read off-phone">Close</span>
        </Link>
      </header>
      {children}
    </aside>
  );
}

/** The link or button of the row that the address has selected. */
function selectedRow(): HTMLElement | null {
  const row = document.querySelector<HTMLElement>('.panes .windowed [aria-current="true"]');
  return row?.matches("a, button") ? row : (row?.querySelector<HTMLElement>("a, button") ?? null);
}
