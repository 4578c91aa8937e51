import { useState } from "preact/hooks";
import { boundKeys, EVERYWHERE, letterKeys, useKeys } from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useStore } from "../store.ts";

/** The keyboard shortcuts of the current page, on `?`. */
export function KeySheet() {
  const [shown, setShown] = useState<ReturnType<typeof boundKeys>>();
  // Before the dialog takes the focus: some shortcuts are about the focused item.
  const open = () => setShown(boundKeys());
  useKeys(EVERYWHERE, [{ key: "?", does: "show keyboard shortcuts", run: open }]);
  return (
    <>
      <button
        type="button"
        class="key-button"
        onClick={open}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        ?
      </button>
      <Dialog label="Keyboard shortcuts" isOpen={shown !== undefined} onClose={() => setShown(undefined)}>
        {(close) => <Sheet areas={shown ?? []} onClose={close} />}
      </Dialog>
    </>
  );
}

interface SheetProps {
  readonly areas: ReturnType<typeof boundKeys>;
  onClose(): void;
}

function Sheet({ areas, onClose }: SheetProps) {
  const letters = useStore(letterKeys);
  return (
    <>
      {/* The first control: the sheet opens at its top. */}
      <button type="button" class="sheet-close" onClick={onClose}>
        Close
      </button>
      {areas.map((area) => (
        <Area key={area.area} {...area} />
      ))}
      <label>
        <input
          type="checkbox"
          checked={letters === "on"}
          onChange={({ currentTarget }) => letterKeys.set(currentTarget.checked ? "on" : "off")}
        />{" "}
        Single-key shortcuts
      </label>
    </>
  );
}

/** The actions of an area that have a key. */
function Area({ area, bindings }: SheetProps["areas"][number]) {
  const keyed = bindings.flatMap(({ key, does }) => (key === undefined ? [] : [{ key, does }]));
  if (keyed.length === 0) return null;
  return (
    <section>
      <h2>{area}</h2>
      <dl>
        {keyed.map(({ key, does }) => (
          <>
            <dt>
              <Keys of={key} />
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** The keys of a binding, as on a keyboard. */
export function Keys({ of }: { readonly of: string }) {
  return (
    <>
      {of.split(" ").map((key, index) => (
        <>
          {index > 0 && " "}
          <kbd>{key}</kbd>
        </>
      ))}
    </>
  );
}
