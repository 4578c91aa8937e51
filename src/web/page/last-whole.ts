import { useRef } from "preact/hooks";
import { live } from "./live.ts";

/**
 * Of what is read in parts, the picture as it was last whole: it stays until the next one is, so that nothing goes blank. Of
 * something else nothing is kept, nor what was read before a redaction.
 *
 * @param of names what the picture is of
 * @returns undefined until it was whole once
 */
export function useLastWhole<Picture>(of: string, isWhole: boolean, picture: Picture): Picture | undefined {
  const key = `${live.get().redactions} ${of}`;
  const kept = useRef<{ readonly key: string; readonly picture: Picture } | undefined>(undefined);
  if (isWhole) kept.current = { key, picture };
  return kept.current?.key === key ? kept.current.picture : undefined;
}
