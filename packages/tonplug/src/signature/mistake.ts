/** A common mistake that makes a signature not match. */
export interface Mistake {
  /** Stable, for scripts. */
  code: string
  /** The problem, as a sentence. */
  problem: string
  /** The solution, as a sentence. */
  fix: string
}
