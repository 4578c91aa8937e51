import { StringDecoder } from "node:string_decoder";
import { Observable } from "rxjs";

/** Longer lines are cut here, so that an agent's output cannot fill the memory. */
const LINE_LIMIT = 8_000_000;

/** The lines of a byte stream, without line ends; includes a last line without line end. */
export function linesOf(stream: NodeJS.ReadableStream): Observable<string> {
  return new Observable((subscriber) => {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    function take(text: string): void {
      const parts = text.split("\n");
      for (const [index, part] of parts.entries()) {
        if (rest.length < LINE_LIMIT) rest += part.slice(0, LINE_LIMIT - rest.length);
        if (index < parts.length - 1) {
          subscriber.next(rest.replace(/\r$/, ""));
          rest = "";
        }
      }
    }
    const onData = (data: Buffer) => take(decoder.write(data));
    const onEnd = () => {
      take(decoder.end());
      if (rest !== "") subscriber.next(rest);
      subscriber.complete();
    };
    stream.on("data", onData);
    stream.once("end", onEnd);
    // A broken pipe ends the stream.
    stream.once("error", onEnd);
    stream.once("close", onEnd);
    return () => {
      stream.removeListener("data", onData);
      stream.removeListener("end", onEnd);
      stream.removeListener("error", onEnd);
      stream.removeListener("close", onEnd);
    };
  });
}
