import { positionIn } from "../address.ts";

/** The position in a field as people write it, `48211`, `48,211` or `#48,211`; what is none is said there, and undefined. */
export function writtenPosition(field: HTMLInputElement): number | undefined {
  const position = positionIn(field.value.replaceAll(/[#,\s]/g, ""));
  field.setCustomValidity(
    position === undefined ? `"${field.value}" is not a position. Enter a number, such as 48,211.` : "",
  );
  field.reportValidity();
  return position;
}
