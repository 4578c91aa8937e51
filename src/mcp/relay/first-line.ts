import type { Readable } from "node:stream";

/**
 * Takes the first line from a stream, and leaves the rest in it.
 *
 * @returns the line without its end; undefined if the stream ends, or has no line within the limit
 */
export function takeFirstLine(stream: Readable, limit_bytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let taken = Buffer.alloc(0);
    const over = (line: string | undefined) => {
      stream.off("readable", read).off("end", gone).off("close", gone).off("error", gone);
      resolve(line);
    };
    const gone = () => over(undefined);
    const read = () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        taken = Buffer.concat([taken, chunk]);
        const end = taken.indexOf(10);
        if (end !== -1) {
          const rest = taken.subarray(end + 1);
          over(taken.toString("utf8", 0, end));
          if (rest.length > 0) stream.unshift(rest);
          return;
        }
        if (taken.length > limit_bytes) return gone();
      }
    };
    stream.on("readable", read).on("end", gone).on("close", gone).on("error", gone);
  });
}
