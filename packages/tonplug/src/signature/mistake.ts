/** A usual mistake that makes a signature not match. */
export interface Mistake {
  /** Stable, for scripts. */
  code: string
  /** What is wrong, as a sentence. */
  problem: string
  /** What to do about it, as a sentence. */
  fix: string
}
