import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { visible } from "../core.ts";
import { selectSession } from "./select-session.ts";
import { sessionName } from "./session-name.ts";

interface LinkProps {
  /** Shown instead of the number or the name. */
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/** Links to a task's timeline; with a position, to the card there. Without a task it is no link. */
export function TaskLink({
  id,
  card,
  children = card === undefined ? `#${id}` : numbered(card),
  ...rest
}: LinkProps & { readonly id: number | null; readonly card?: number }) {
  const { with: to } = useAddress();
  if (id === null) return <>{children}</>;
  const address = to({}, `/tasks/${id}`);
  return (
    <Link href={card === undefined ? address : `${address}#e${card}`} {...rest}>
      {children}
    </Link>
  );
}

/** Links to a session; the whole id is its tooltip where the name is short. */
export function SessionLink({
  id,
  children = sessionName(id),
  ...rest
}: LinkProps & { readonly id: string }) {
  const { with: to } = useAddress();
  return (
    <Link href={to(selectSession(id), "/sessions")} title={visible(id)} {...rest}>
      {children}
    </Link>
  );
}

/** Links to an event in the log. */
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

/** Links to the project at a position. No other link leads into the past. */
export function AsOfLink({ position }: { readonly position: number }) {
  const { with: to } = useAddress();
  const words = `View the project at ${numbered(position)}`;
  return (
    <Link class="as-of" href={to({ at: position })} aria-label={words} title={words}>
      ◷
    </Link>
  );
}

/** A position as the page writes it: `#48,211`. */
export function numbered(position: number): string {
  return `#${position.toLocaleString("en")}`;
}
