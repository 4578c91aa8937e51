import { useAddress } from "../../address.ts";
import { useKeys } from "../../keys.ts";

/** The board's shortcuts. Each presses a visible button or link. */
export function useBoardKeys(): void {
  const address = useAddress();
  const isGraph = address.get("show") === "graph";
  useKeys("Board", [
    { key: "j", does: "next card", run: () => moveInColumn(1) },
    { key: "k", does: "previous card", run: () => moveInColumn(-1) },
    { key: "h", does: "column to the left", run: () => moveToColumn(-1) },
    { key: "l", does: "column to the right", run: () => moveToColumn(1) },
    { key: "s", does: "set the status", run: () => press("status") },
    { key: "a", does: "approve the proposal", run: () => press("approve") },
    { key: "x", does: "reject the proposal", run: () => press("reject") },
    { key: "e", does: "edit the proposal", run: () => press("change") },
    {
      key: "g",
      does: isGraph ? "show cards" : "show the graph",
      run: () => address.go({ show: isGraph ? undefined : "graph" }),
    },
  ]);
}

/** The card that has the focus, or the one that the address names. */
function currentCard(): HTMLElement | null {
  return (
    document.activeElement?.closest<HTMLElement>("[data-task]") ??
    document.querySelector<HTMLElement>(".card.is-selected") ??
    document.querySelector<HTMLElement>(".task-pane")
  );
}

function press(act: string): void {
  // No shortcuts while a dialog is open.
  if (document.querySelector("dialog[open]")) return;
  currentCard()?.querySelector<HTMLElement>(`[data-act="${act}"]`)?.click();
}

function moveInColumn(step: 1 | -1): void {
  const row = currentCard()?.closest("li");
  // The rows of a windowed list are in order.
  const other = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  focusCard((row ? other : document)?.querySelector(".card"));
}

function moveToColumn(step: 1 | -1): void {
  const columns = [...document.querySelectorAll(".board-column")].filter((column) =>
    column.querySelector(".card"),
  );
  const own = currentCard()?.closest(".board-column");
  const at = own ? columns.indexOf(own) : step === 1 ? -1 : columns.length;
  focusCard(columns[at + step]?.querySelector(".card"));
}

function focusCard(card: Element | null | undefined): void {
  card?.querySelector<HTMLElement>(".card-title")?.focus();
}
