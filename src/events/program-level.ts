/**
 * The level of this program: raised with each new event type and schema version. A log that hosts share names the least level that
 * reads it.
 */
export const PROGRAM_LEVEL = 3;
