import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { SELECTED_TASK, useKeys } from "../../keys.ts";
import { openTaskForm } from "../../parts/task-form/open.ts";

/** The board's shortcuts. Each presses a visible button or link. */
export function useBoardKeys(): void {
  const address = useAddress();
  const isGraph = address.get("show") === "graph";
  useKeys("Board", [
    { key: "j", does: "next card", run: () => moveInColumn(1) },
    { key: "k", does: "previous card", run: () => moveInColumn(-1) },
    { key: "h", does: "column to the left", run: () => moveToColumn(-1) },
    { key: "l", does: "column to the right", run: () => moveToColumn(1) },
    {
      key: "g g",
      does: isGraph ? "show cards" : "show the graph",
      run: () => address.go({ show: isGraph ? undefined : "graph" }),
    },
  ]);
  usePress("s", "set the status", "status");
  usePress("a", "approve the proposal", "approve");
  usePress("x", "reject the proposal", "reject");
  const disabledReason = useDisabledReason();
  useKeys(
    SELECTED_TASK,
    [{ key: "e", does: "edit the task", run: () => openTaskForm(Number(currentCard()?.dataset.task)) }],
    () => currentCard() !== null && disabledReason === undefined,
  );
}

/** A shortcut that presses a button of the current card, if it has the button. */
function usePress(key: string, does: string, act: string): void {
  const button = () => currentCard()?.querySelector<HTMLElement>(`[data-act="${act}"]`);
  useKeys(SELECTED_TASK, [{ key, does, run: () => button()?.click() }], () => button() != null);
}

/** The card that has the focus, or the one that the address names. */
function currentCard(): HTMLElement | null {
  return (
    document.activeElement?.closest<HTMLElement>("[data-task]") ??
    document.querySelector<HTMLElement>(".card.is-selected") ??
    document.querySelector<HTMLElement>(".task-pane")
  );
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
