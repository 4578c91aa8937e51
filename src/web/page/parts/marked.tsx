import { readable } from "./readable.ts";

/** A text that someone else wrote, with the words of a search marked; what acts on a reader's eyes is shown. */
export function Marked({ text, words = "" }: { readonly text: string; readonly words?: string }) {
  const shown = readable(text);
  const wanted = words.toLowerCase().match(/[^\s]+/g) ?? [];
  if (wanted.length === 0) return <span class="words">{shown}</span>;
  return (
    <span class="words">
      {partsOf(shown, wanted).map(({ part, isHit, from }) => (isHit ? <mark key={from}>{part}</mark> : part))}
    </span>
  );
}

function partsOf(text: string, wanted: readonly string[]) {
  const lower = text.toLowerCase();
  const isHit = new Uint8Array(text.length);
  // A letter whose small form is longer would put all behind it elsewhere: such a text is shown without marks.
  if (lower.length === text.length) {
    for (const word of wanted) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
        isHit.fill(1, at, at + word.length);
      }
    }
  }
  const parts: { readonly part: string; readonly isHit: boolean; readonly from: number }[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && isHit[to] === isHit[from]) to++;
    parts.push({ part: text.slice(from, to), isHit: isHit[from] === 1, from });
    from = to;
  }
  return parts;
}
