/** From TERM to KILL. */
export const GRACE_MS = 1_000;

/** For what a command printed last to be read, where something else holds its output open. */
export const DRAIN_MS = 500;

/** For the system to take away what was killed. What is there after it cannot be ended. */
export const KILL_MS = 2_000;
