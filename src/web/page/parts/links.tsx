import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { visible } from "../../../events/visible.ts";
import { useAddress } from "../address.ts";

interface LinkProps {
  /** What is shown instead of the number or the name. */
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/** To a task's timeline; with a position, to the card there. */
export function TaskLink({
  id,
  card,
  children = card === undefined ? `#${id}` : numbered(card),
  ...rest
}: LinkProps & { readonly id: number; readonly card?: number }) {
  const { with: to } = useAddress();
  const address = to({}, `/tasks/${id}`);
  return (
    <Link href={card === undefined ? address : `${address}#e${card}`} {...rest}>
      {children}
    </Link>
  );
}

/** To a session. */
export function SessionLink({ id, children = visible(id), ...rest }: LinkProps & { readonly id: string }) {
  const { with: to } = useAddress();
  return (
    <Link href={to({ session: id }, "/sessions")} {...rest}>
      {children}
    </Link>
  );
}

/** To an event, in the log. */
export function EventLink({
  position,
  children = numbered(position),
  ...rest
}: LinkProps & { readonly position: number }) {
  const { with: to } = useAddress();
  return (
    <Link href={to({ event: position }, "/log")} {...rest}>
      {children}
    </Link>
  );
}

/** To the project as it was at a position: nobody comes into the past by a link that does not say so. */
export function AsOfLink({ position }: { readonly position: number }) {
  const { with: to } = useAddress();
  const words = `View the project at ${numbered(position)}`;
  return (
    <Link class="as-of" href={to({ at: position })} aria-label={words} title={words}>
      ◷
    </Link>
  );
}

/** A position as the page names it: `#48,211`. */
export function numbered(position: number): string {
  return `#${position.toLocaleString("en")}`;
}
