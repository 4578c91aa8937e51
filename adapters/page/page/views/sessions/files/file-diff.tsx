import { useMemo } from "preact/hooks";
import type { AnswerOf } from "../../../../server/answers/index.ts";
import { readable } from "../../../parts/readable.ts";

type Opened = NonNullable<AnswerOf<"session_changes">["changes"]>["opened"][number];

interface FileDiffProps {
  /** Undefined: it is not loaded yet. */
  readonly file: Opened | undefined;
  /** False: the names of the open files do not fit into a request. */
  readonly isAsked: boolean;
}

/** The diff of a file. */
export function FileDiff({ file, isAsked }: FileDiffProps) {
  // An answer comes every few seconds, and mostly with the same diff, which is not drawn again.
  const drawn = useMemo(() => file && <Hunks file={file} />, [file?.hunks, file?.cut, file?.hidden]);
  if (!isAsked) {
    return <p class="muted">Not shown: the names of the open files are too long. Close some.</p>;
  }
  if (!file) return <p class="muted">Loading …</p>;
  if (file.hidden !== null) return <p class="muted">{HIDDEN[file.hidden]}</p>;
  return <>{drawn}</>;
}

function Hunks({ file }: { readonly file: Opened }) {
  const lines = file.hunks.replace(/\n$/, "").split("\n");
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll */}
      <pre class="file-diff" tabIndex={0}>
        {lines.slice(0, LINES).map((line, nth) => (
          <span key={nth} class={CLASSES[line[0] ?? ""]}>
            {readable(line)}
            {"\n"}
          </span>
        ))}
      </pre>
      {(file.cut > 0 || lines.length > LINES) && (
        <p class="muted">
          The rest is not shown
          {file.cut > 0 && `: ${file.cut.toLocaleString("en")} more characters`}.
        </p>
      )}
    </>
  );
}

const LINES = 2_000;

const CLASSES: Readonly<Record<string, string>> = { "+": "is-added", "-": "is-removed", "@": "is-place" };

const HIDDEN: Readonly<Record<NonNullable<Opened["hidden"]>, string>> = {
  secret: "Not shown: its name looks like that of a secret.",
  binary: "Not shown: it is binary, or larger than 4 MB.",
  room: "Not shown: the other open files take all the room. Close some.",
};
