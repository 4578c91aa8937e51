/** Marks a task that an agent proposed. */
export function Robot() {
  return (
    <svg class="robot" viewBox="0 0 16 16" role="img" aria-label="proposed by an agent">
      <title>Proposed by an agent</title>
      <path d="M8 1v3" stroke="currentColor" stroke-width="1.5" />
      <circle cx="8" cy="1.5" r="1.2" fill="currentColor" />
      <rect x="2.5" y="4" width="11" height="9" rx="2" fill="none" stroke="currentColor" stroke-width="1.5" />
      <circle cx="5.8" cy="8" r="1.2" fill="currentColor" />
      <circle cx="10.2" cy="8" r="1.2" fill="currentColor" />
      <path d="M5.5 10.8h5M.8 7v3M15.2 7v3" stroke="currentColor" stroke-width="1.2" />
    </svg>
  );
}
