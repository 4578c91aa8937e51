import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { askServer, useFixed } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { oneLine } from "../parts/readable.ts";
import { durationOf } from "../parts/time.tsx";
import { writtenPosition } from "../parts/written-position.ts";
import { useStore } from "../store.ts";
import { MarkList } from "./mark-list.tsx";
import { speed, speeds, usePlay } from "./play.ts";
import { Sparkline } from "./sparkline.tsx";
import { type TimeTravel, useTimeTravel } from "./time-travel.ts";
import "./time-bar.css";

/** The log as a bar on every view: shows the current position and moves it. */
export function TimeBar() {
  const timeTravel = useTimeTravel();
  const { head, isEndKnown, position, from, to, isPast, isZoomed, goToNow, zoom } = timeTravel;
  const latest = useRef(timeTravel);
  latest.current = timeTravel;
  const { with: addressWith } = useAddress();
  const [isOpen, setOpen] = useState(isPast);
  useEffect(() => {
    if (isPast) setOpen(true);
  }, [isPast]);
  const slider = useRef<HTMLInputElement>(null);
  const wantsSlider = useRef(false);
  const play = usePlay(timeTravel);
  const { answer: event } = useFixed("position", { position }, isOpen && head > 0);
  const words = event ? wordsOf(event) : position === 0 ? "before the first event" : "";
  const step = (by: number) => timeTravel.move(position + by);
  const [problem, setProblem] = useState<string>();
  useEffect(() => setProblem(undefined), [position]);
  const toMark = (side: "previous" | "next") => {
    setProblem(undefined);
    goToMark(() => latest.current, side).catch((error: unknown) => {
      setProblem(`Cannot find the ${side} mark. ${error instanceof Error ? error.message : ""}`);
      setOpen(true);
    });
  };
  const zoomBy = (factor: number) => {
    const half = ((to - from) * factor) / 2;
    zoom(position - half, position + half);
  };
  useKeys("Time travel", [
    { key: "t", does: "focus the time slider (then ← → Shift PgUp PgDn Home End)", run: () => take() },
    {
      key: ",",
      does: "previous mark (session end, status change, human action)",
      run: () => toMark("previous"),
    },
    { key: ".", does: "next mark", run: () => toMark("next") },
    { key: "+", does: "zoom in", run: () => zoomBy(0.5) },
    { key: "-", does: "zoom out", run: () => zoomBy(2) },
  ]);
  const fold = useRef<HTMLButtonElement>(null);
  const [isUsed, setUsed] = useState(false);
  useKeys(
    "Time travel",
    isOpen && isUsed
      ? [
          {
            key: "Escape",
            does: "close the time bar",
            run() {
              setOpen(false);
              fold.current?.focus();
            },
          },
        ]
      : [],
  );
  function take() {
    wantsSlider.current = true;
    setOpen(true);
    // A bar that is open already is not drawn anew.
    slider.current?.focus();
  }
  useLayoutEffect(() => {
    if (isOpen && wantsSlider.current) slider.current?.focus();
    wantsSlider.current = false;
  }, [isOpen]);
  return (
    <section
      class="time-bar"
      aria-label="Time travel"
      onFocusIn={() => setUsed(true)}
      onFocusOut={() => setUsed(false)}
    >
      <button
        ref={fold}
        type="button"
        class="time-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">◷ </span>
        Time bar: {isPast ? `#${position.toLocaleString("en")}` : "now"}
      </button>
      {isOpen && (
        <div class="time-controls">
          <div class="time-buttons">
            <button
              type="button"
              onClick={play.toggle}
              disabled={head === 0 || !isEndKnown}
              title={play.isPlaying ? "Pause" : "Play from here (in the present: from the start)"}
            >
              <span aria-hidden="true">{play.isPlaying ? "⏸ " : "▶ "}</span>
              {play.isPlaying ? "Pause" : "Play"}
            </button>
            <SpeedChoice />
            <StepButton name="Previous mark" keys="," onClick={() => toMark("previous")} />
            <StepButton name="Next mark" keys="." onClick={() => toMark("next")} />
            <MarkList position={position} />
          </div>
          <div class="time-line">
            <Sparkline timeTravel={timeTravel} />
            <input
              ref={slider}
              type="range"
              aria-label="Position in the log"
              aria-valuetext={`position ${position.toLocaleString("en")}${isPast ? "" : ", now"}, ${words}`}
              min={from}
              max={Math.max(to, from + 1)}
              value={position}
              disabled={head === 0}
              onInput={({ currentTarget }) => {
                // Until the next frame the slider may be drawn anew, with the position of before.
                const wanted = Number(currentTarget.value);
                onNextFrame(() => timeTravel.move(wanted));
              }}
              onPointerDown={play.stop}
              onKeyDown={(pressed) => keyOnSlider(pressed, timeTravel)}
            />
            {problem === undefined ? (
              <p class="time-words muted" title={words}>
                {play.idle_ms === undefined ? words : `skipping ${durationOf(play.idle_ms)} without events`}
              </p>
            ) : (
              <p class="time-words" role="alert">
                {problem}
              </p>
            )}
          </div>
          <div class="time-steps">
            <StepButton name="Back 10 events" keys="Shift ←" word="Back 10" onClick={() => step(-10)} />
            <StepButton name="Back 1 event" keys="←" word="Back 1" onClick={() => step(-1)} />
            <StepButton name="Forward 1 event" keys="→" word="Forward 1" onClick={() => step(1)} />
            <StepButton name="Forward 10 events" keys="Shift →" word="Forward 10" onClick={() => step(10)} />
          </div>
          <div class="time-buttons">
            <PositionBox timeTravel={timeTravel} />
            <StepButton name="Zoom in" keys="+" onClick={() => zoomBy(0.5)} />
            <StepButton name="Zoom out" keys="-" onClick={() => zoomBy(2)} />
            {isZoomed && (
              <button type="button" onClick={() => zoom(0, head)} title="Show the whole log (-)">
                Show all
              </button>
            )}
            <Link
              class="button"
              href={addressWith(
                { at: isPast ? position : Math.max(0, head - 100), to: isEndKnown ? head : undefined },
                "/compare",
              )}
              title={isPast ? "Compare with now" : "Compare now with 100 events ago"}
            >
              Compare with now
            </Link>
            <button type="button" disabled={!isPast} onClick={goToNow} title="Back to now (L)">
              Back to now
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

/** The usual keys of a slider, with steps that suit a long log. */
function keyOnSlider(
  pressed: JSX.TargetedKeyboardEvent<HTMLInputElement>,
  { position, from, to, move }: TimeTravel,
): void {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
  const one = pressed.shiftKey ? 10 : 1;
  const part = Math.max(1, Math.round((to - from) / 100));
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: position - one,
    ArrowDown: position - one,
    ArrowRight: position + one,
    ArrowUp: position + one,
    PageDown: position - part,
    PageUp: position + part,
    Home: from,
    End: to,
  };
  const target = targets[pressed.key];
  if (target === undefined) return;
  pressed.preventDefault();
  move(target);
}

/**
 * @param timeTravel read again after the request, since the log may have grown meanwhile
 * @throws RequestError, AwayError
 */
async function goToMark(timeTravel: () => TimeTravel, side: "previous" | "next"): Promise<void> {
  const { answer } = await askServer("marks", { position: timeTravel().position });
  const { jump, goToNow } = timeTravel();
  const found = answer[side];
  if (found !== null) jump(found);
  else if (side === "next") goToNow();
}

/** Runs only the last task given within a frame. */
function onNextFrame(work: () => void): void {
  if (next === undefined) requestAnimationFrame(runNext);
  next = work;
}

let next: (() => void) | undefined;

function runNext(): void {
  const work = next;
  next = undefined;
  work?.();
}

function wordsOf({ type, stream, text }: { type: string; stream: string; text: string }): string {
  return [type, stream, text]
    .map(oneLine)
    .filter((part) => part !== "")
    .join(" · ");
}

function SpeedChoice() {
  const chosen = useStore(speed);
  return (
    <label class="time-speed">
      Speed{" "}
      <select
        value={chosen}
        onChange={({ currentTarget }) => {
          const found = speeds.find((one) => one === currentTarget.value);
          if (found) speed.set(found);
        }}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one === "events" ? "50/s" : `${one}×`}
          </option>
        ))}
      </select>
    </label>
  );
}

function StepButton(props: {
  readonly name: string;
  readonly keys: string;
  /** What the button shows; absent: its name. */
  readonly word?: string;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      onClick={props.onClick}
      aria-label={props.name}
      title={`${props.name} (${props.keys})`}
    >
      {props.word ?? props.name}
    </button>
  );
}

/** The position as an editable number. */
function PositionBox({ timeTravel: { position, head, isEndKnown } }: { readonly timeTravel: TimeTravel }) {
  const { go } = useAddress();
  const [text, setText] = useState<string>();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => setText(undefined), [position]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = box.current ? writtenPosition(box.current) : undefined;
        if (wanted === undefined) return;
        setText(undefined);
        // A position beyond the end goes into the address, too: the banner explains it.
        go({ at: isEndKnown && wanted === head ? undefined : wanted });
      }}
    >
      <input
        ref={box}
        class="time-position"
        inputMode="numeric"
        aria-label="Position"
        title="Type a position, then press Enter"
        value={text ?? `#${position.toLocaleString("en")}`}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => setText(undefined)}
      />
    </form>
  );
}
