import { useLocationProperty } from "wouter-preact/use-browser-location";

/** The card that the address points to: `#e48211`. Undefined where it points to none. */
export function usePointedCard(): number | undefined {
  const hash = useLocationProperty(() => location.hash);
  const match = /^#e(\d{1,15})$/.exec(hash);
  return match ? Number(match[1]) : undefined;
}

/** Lets the address point to a card, as a link to it would. Going back does not stop at each. */
export function pointTo(position: number): void {
  if (location.hash === `#e${position}`) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}#e${position}`);
}
