import { useState } from "preact/hooks";
import { readable } from "./readable.ts";
import "./json.css";

/** Any JSON, folded: lists and objects are rendered when opened. */
export function Json({ value, name }: { readonly value: unknown; readonly name?: string | undefined }) {
  if (typeof value === "object" && value !== null) return <Folded value={value} name={name} />;
  return (
    <div class="json-leaf">
      {name !== undefined && <span class="json-name">{readable(name)}: </span>}
      {typeof value === "string" ? <LongText text={value} /> : <span class="json-bare">{String(value)}</span>}
    </div>
  );
}

function Folded({ value, name }: { readonly value: object; readonly name: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const entries = Object.entries(value);
  const count = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details class="json" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name !== undefined && <span class="json-name">{readable(name)}: </span>}
        <span class="muted">{count}</span>
      </summary>
      {isOpen &&
        entries
          .slice(0, isWhole ? undefined : ENTRIES)
          .map(([key, one]) => <Json key={key} name={key} value={one} />)}
      {isOpen && !isWhole && entries.length > ENTRIES && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {entries.length}
        </button>
      )}
    </details>
  );
}

/** A long text is cut until it is expanded. */
function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > TEXT;
  return (
    <span class="json-text">
      {readable(isCut ? text.slice(0, TEXT) : text)}
      {isCut && (
        <>
          …{" "}
          <button type="button" onClick={() => setWhole(true)}>
            Show all {text.length.toLocaleString("en")} characters
          </button>
        </>
      )}
    </span>
  );
}

/** In characters. */
const TEXT = 2_000;
const ENTRIES = 100;
