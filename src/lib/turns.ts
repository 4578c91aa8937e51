/** Makes a function that runs one piece of work at a time, in the order of the calls. */
export function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // The caller gets the error; the next turn comes anyway.
    last = turn.catch(() => undefined);
    return turn;
  };
}
