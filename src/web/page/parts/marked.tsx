import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { hitsIn, wordsIn } from "../../../lib/search-words.ts";

/** The words that are searched for, within it. */
export const Searched = createContext("");

/** A text that can be shown as it is, with the words marked that are searched for. */
export function Marked({ text }: { readonly text: string }) {
  const hits = hitsIn(text, wordsIn(useContext(Searched)));
  if (hits.length === 0) return <>{text}</>;
  return (
    <>
      {hits.map(([from, to], nth) => (
        <>
          {text.slice(hits[nth - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </>
      ))}
      {text.slice(hits.at(-1)?.[1])}
    </>
  );
}
