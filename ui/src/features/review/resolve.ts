/** What the bar at the foot can do about the conflict in front. */
export interface Resolve {
  propose: () => Promise<unknown>;
  later: () => void;
  /** Why it cannot be proposed yet. */
  blocked: string | undefined;
  /** How many places meet, for the head. */
  summary: string;
}
