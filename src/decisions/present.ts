/** The fields that were given: what is undefined is absent, as the log keeps no undefined. */
export function present<Fields extends object>(fields: Fields): Fields {
  // Leaving out what is undefined keeps the type: its optional fields allow undefined.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
