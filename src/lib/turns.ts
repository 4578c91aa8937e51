/** Gives a function that does one piece of work at a time, in the order in which they were asked for. */
export function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // Whoever asked hears of a failure; the next one's turn comes all the same.
    last = turn.catch(() => undefined);
    return turn;
  };
}
