import "./unseen.css";

/** Says that a list has more than is shown, and goes there: a list is never scrolled for its reader. */
export function Unseen(unseen: { readonly count: number; readonly where: "↑" | "↓"; onGo(): void }) {
  if (unseen.count === 0) return null;
  return (
    <button type="button" class="unseen" onClick={unseen.onGo}>
      {unseen.where} {unseen.count.toLocaleString("en")} new
    </button>
  );
}
