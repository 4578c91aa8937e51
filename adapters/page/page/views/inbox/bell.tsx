import { useEffect, useRef } from "preact/hooks";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useAnswer } from "../../answers.ts";
import { keyOf, wordOf } from "../../parts/inbox-item/kinds.tsx";
import { oneLine } from "../../parts/readable.ts";
import { createKeptStore, useStore } from "../../store.ts";

/** Sound and system notifications for new items: off until switched on. */
const sound = createKeptStore("signalbox-sound", ["off", "on"], "off");
const notice = createKeptStore("signalbox-notice", ["off", "on"], "off");

const CAN_NOTIFY = "Notification" in window && isSecureContext;

export function BellSwitches() {
  const isLoud = useStore(sound) === "on";
  const isNoticed = useStore(notice) === "on";
  return (
    <>
      <button
        type="button"
        aria-pressed={isLoud}
        onClick={() => {
          sound.set(isLoud ? "off" : "on");
          if (!isLoud) ring();
        }}
        title="Play a sound when something new needs you"
      >
        Sound
      </button>
      <button
        type="button"
        aria-pressed={isNoticed}
        disabled={!CAN_NOTIFY}
        onClick={async () => {
          const isAllowed = isNoticed || (await Notification.requestPermission()) === "granted";
          notice.set(isNoticed || !isAllowed ? "off" : "on");
        }}
        title={
          CAN_NOTIFY
            ? "Show a system notification when something new needs you (your browser asks first)"
            : "Browsers allow notifications only on localhost or https."
        }
      >
        Notify
      </button>
    </>
  );
}

/** Announces new inbox items on every view; only one page of the browser does. */
export function Bell() {
  const isOn = [useStore(sound), useStore(notice)].includes("on");
  return isOn ? <Listening /> : null;
}

function Listening() {
  const { answer } = useAnswer("inbox", { row: 0, limit: 1 }, { at: undefined });
  const known = useRef<number | undefined>(undefined);
  const isFirst = useLock("signalbox-bell");
  const newest = answer?.newest;
  useEffect(() => {
    if (!answer) return;
    const before = known.current;
    known.current = Math.max(before ?? 0, newest?.id ?? 0);
    if (!isFirst.current || before === undefined || !newest || newest.id <= before) return;
    if (sound.get() === "on") ring();
    if (notice.get() === "on" && CAN_NOTIFY) showNotification(newest);
  }, [answer, newest?.id]);
  return null;
}

/** Requests a lock while the component is shown; true while this page holds it. */
function useLock(name: string) {
  const isHeld = useRef(false);
  useEffect(() => {
    // Locks need a secure origin; without them every page announces.
    if (navigator.locks === undefined) {
      isHeld.current = true;
      return;
    }
    const abort = new AbortController();
    let release = () => {};
    navigator.locks
      .request(name, { signal: abort.signal }, () => {
        isHeld.current = true;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch(() => {});
    return () => {
      isHeld.current = false;
      release();
      abort.abort();
    };
  }, [name]);
  return isHeld;
}

function showNotification(line: InboxLine): void {
  const of = line.task === null ? `plan-${line.plan}` : `#${line.task} ${oneLine(line.task_title)}`;
  new Notification(of, {
    body: `${wordOf(line.kind)}: ${oneLine(line.text)}`,
    tag: keyOf(line),
  });
}

/** Two short tones. */
function ring(): void {
  const audio = new AudioContext();
  for (const [nth, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + nth * 0.16;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.15);
  }
  setTimeout(() => void audio.close(), 500);
}
