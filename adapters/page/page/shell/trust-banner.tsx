import { useAnswer } from "../answers.ts";
import { MessageText } from "../parts/states.tsx";

/** Says on every view that nothing runs from the log, or that git could replace what only signalbox writes. */
export function TrustBanner() {
  const { answer } = useAnswer("trust", {}, { at: undefined });
  if (!answer || answer.problems.length === 0) return null;
  return (
    <div class="banner" role="alert">
      {answer.problems.map((problem) => (
        <p key={problem}>
          <MessageText text={problem} />
        </p>
      ))}
    </div>
  );
}
