import { useState } from "preact/hooks";
import { boundKeys, EVERYWHERE, useKeys } from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Loading } from "../parts/states.tsx";
import { PALETTE_KEY } from "./palette/key.ts";

const Palette = lazily(
  async () => (await import("./palette/palette.tsx")).Palette,
  () => <Loading what="the palette" />,
);

/** The button of the command palette, which also opens on Ctrl-K. */
export function PaletteOpener() {
  const [areas, setAreas] = useState<ReturnType<typeof boundKeys>>();
  // Before the dialog takes the focus: some shortcuts are about the focused item.
  const open = () => setAreas(boundKeys());
  useKeys(EVERYWHERE, [{ key: PALETTE_KEY, does: "views, tasks and actions", run: open }]);
  return (
    <>
      <button
        type="button"
        class="palette-opener"
        aria-label="Go to …"
        title="Views, tasks and actions (Ctrl-K)"
        onClick={open}
      >
        <span aria-hidden="true">⌕</span>
        <span class="palette-word"> Go to …</span>
      </button>
      <Dialog
        label="Views, tasks and actions"
        isOpen={areas !== undefined}
        opening={areas}
        class="palette"
        onClose={() => setAreas(undefined)}
      >
        {(close) => <Palette areas={areas ?? []} close={close} />}
      </Dialog>
    </>
  );
}
