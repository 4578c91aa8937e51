import { positionIn } from "../address.ts";

/** Parses `48211`, `48,211` or `#48,211`; an invalid text is reported at the field. */
export function writtenPosition(field: HTMLInputElement): number | undefined {
  const position = positionIn(field.value.replaceAll(/[#,\s]/g, ""));
  field.setCustomValidity(
    position === undefined ? `"${field.value}" is not a position. Enter a number, such as 48,211.` : "",
  );
  field.reportValidity();
  return position;
}
