import { begunKey, boundKeys } from "../keys.ts";
import { useStore } from "../store.ts";
import { Keys } from "./key-sheet.tsx";

/** The keys that complete a sequence that was begun. */
export function KeyHint() {
  const begun = useStore(begunKey);
  const next = boundKeys()
    .flatMap(({ bindings }) => bindings)
    .flatMap(({ key = "", does }) => (begun && key.startsWith(`${begun} `) ? [{ key, does }] : []));
  return (
    <div role="status">
      {begun !== undefined && (
        <p class="key-hint">
          {next.map(({ key, does }) => (
            <span key={key}>
              <Keys of={key} /> {does}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
