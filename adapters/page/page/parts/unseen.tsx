import "./unseen.css";

/** A button that scrolls to new rows: a list never scrolls by itself. */
export function Unseen(unseen: { readonly count: number; readonly where: "↑" | "↓"; onGo(): void }) {
  if (unseen.count === 0) return null;
  return (
    <button type="button" class="unseen" onClick={unseen.onGo}>
      {unseen.where} {unseen.count.toLocaleString("en")} new
    </button>
  );
}
