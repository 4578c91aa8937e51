/** The explanation of a number, and the SQL that computes it. */
export function HowCounted({ words, sql }: { readonly words: string; readonly sql: string }) {
  return (
    <div class="how-counted">
      <p>{words}</p>
      {sql === "" ? (
        <p class="muted">No events yet, so there is nothing to count.</p>
      ) : (
        <>
          <p class="muted">
            This is the query on <code>.ralph/db/ralph.db</code>. Each day is given with the range of
            positions of its events.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll */}
          <pre class="scroll" tabIndex={0}>
            {sql}
          </pre>
        </>
      )}
    </div>
  );
}
