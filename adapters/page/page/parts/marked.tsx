import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { hitsIn, wordsIn } from "../core.ts";

/** The search text whose words are highlighted. */
export const Searched = createContext("");

/** A text that is safe to show, with the searched words highlighted. */
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
