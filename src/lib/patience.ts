/**
 * Calls once this process has listened that long in vain. Time in which it was busy and could hear nothing hardly counts:
 * Node calls what is due before it reads what has arrived meanwhile, so a plain timer would give up on an answer that is there.
 *
 * @returns what ends the wait
 */
export function whenPatienceEnds(patience_ms: number, giveUp: () => void): () => void {
  let left = STEPS;
  let timer: NodeJS.Timeout | undefined;
  let reading: NodeJS.Immediate | undefined;
  const step = () => {
    // What arrived is read between a timer and an immediate.
    if (left-- === 0) reading = setImmediate(giveUp);
    else timer = setTimeout(step, patience_ms / STEPS);
  };
  step();
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}

/** A pause of the process costs one step at most. */
const STEPS = 10;
