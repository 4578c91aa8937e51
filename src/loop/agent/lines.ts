import { StringDecoder } from "node:string_decoder";
import { Observable } from "rxjs";

/** A line that is longer is cut there: no output of an agent may fill the memory. */
const LINE_LIMIT = 8_000_000;

/** The lines of a stream of bytes, without their ends; the last one also where nothing ends it. */
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
    // A pipe that breaks has said what it had to say.
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
