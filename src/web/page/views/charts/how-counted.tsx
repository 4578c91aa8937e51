/** What a number means, and the SQL whose result it is, for whoever wants to count it again. */
export function HowCounted({ words, sql }: { readonly words: string; readonly sql: string }) {
  return (
    <div class="how-counted">
      <p>{words}</p>
      {sql === "" ? (
        <p class="muted">Before the first event there is nothing to count.</p>
      ) : (
        <>
          <p class="muted">
            On <code>.ralph/db/ralph.db</code>; a day is named with the positions between which its events
            are.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls a text that has the focus */}
          <pre class="scroll" tabIndex={0}>
            {sql}
          </pre>
        </>
      )}
    </div>
  );
}
