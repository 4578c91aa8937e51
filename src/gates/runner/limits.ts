/** From TERM to KILL. */
export const GRACE_MS = 1_000;

/** To read a command's last output while another process holds it open. */
export const DRAIN_MS = 500;

/** For the system to remove killed processes. A process that remains cannot be killed. */
export const KILL_MS = 2_000;
