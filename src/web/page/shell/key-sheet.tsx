import { useEffect, useRef, useState } from "preact/hooks";
import { boundKeys, letterKeys, useKeys } from "../keys.ts";
import { useStore } from "../store.ts";

/** The keyboard shortcuts of the current page, on `?`. */
export function KeySheet() {
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys("Everywhere", [{ key: "?", does: "show keyboard shortcuts", run: () => setOpen(true) }]);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        class="key-button"
        onClick={() => setOpen(true)}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        ?
      </button>
      <dialog ref={dialog} class="sheet" aria-label="Keyboard shortcuts" onClose={() => setOpen(false)}>
        {isOpen && <Sheet onClose={() => setOpen(false)} />}
      </dialog>
    </>
  );
}

function Sheet({ onClose }: { onClose(): void }) {
  const letters = useStore(letterKeys);
  return (
    <>
      {boundKeys()
        .filter(({ bindings }) => bindings.length > 0)
        .map(({ area, bindings }) => (
          <section key={area}>
            <h2>{area}</h2>
            <dl>
              {bindings.map(({ key, does }) => (
                <>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      <label>
        <input
          type="checkbox"
          checked={letters === "on"}
          onChange={({ currentTarget }) => letterKeys.set(currentTarget.checked ? "on" : "off")}
        />{" "}
        Single-key shortcuts
      </label>
      <p>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </>
  );
}
