import { followed, LOOP_LOOKS, type LoopState } from "../core.ts";
import { Moment } from "../parts/time.tsx";

/** A state as symbol, word, time and reason. */
export function StateWords({
  state,
  until,
  why,
  isAnnounced = false,
}: LoopState & { readonly isAnnounced?: boolean }) {
  const { symbol, word } = LOOP_LOOKS[state];
  return (
    <span class={`loop-state is-${state}`} title={why}>
      <b role={isAnnounced ? "status" : undefined}>
        <span aria-hidden="true">{symbol}</span> {word}
      </b>
      {until !== null && (
        <>
          {" until "}
          <Moment time={until} />
        </>
      )}
      {why !== "" && `${followed(state)}${why}`}
    </span>
  );
}
