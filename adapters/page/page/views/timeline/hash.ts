import { useLocationProperty } from "wouter-preact/use-browser-location";

/** The position of the card in the address: `#e48211`; else undefined. */
export function usePointedCard(): number | undefined {
  const hash = useLocationProperty(() => location.hash);
  const match = /^#e(\d{1,15})$/.exec(hash);
  return match ? Number(match[1]) : undefined;
}

/** Puts a card into the address, without an entry in the browser history. */
export function pointTo(position: number): void {
  if (location.hash === `#e${position}`) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}#e${position}`);
}
