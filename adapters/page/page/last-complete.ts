import { useRef } from "preact/hooks";
import { live } from "./live.ts";

/**
 * The last complete set of pages: it stays until the next set is complete, so that nothing goes
 * blank. It is dropped after a redaction and for another subject.
 *
 * @param of the subject
 * @returns undefined until the first set is complete
 */
export function useLastComplete<Picture>(
  of: string,
  isWhole: boolean,
  picture: Picture,
): Picture | undefined {
  const key = `${live.get().redactions} ${of}`;
  const kept = useRef<{ readonly key: string; readonly picture: Picture } | undefined>(undefined);
  if (isWhole) kept.current = { key, picture };
  return kept.current?.key === key ? kept.current.picture : undefined;
}
