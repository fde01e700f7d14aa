/** The result of a command. */
export interface Report {
  /** True when something was found and everything was done: exit code 0, otherwise 1. */
  isDone: boolean
  /** The document that `--json` prints. */
  json: object
  /** The output without `--json`. */
  text: string
}

/** Receives the result of the command. */
export type Deliver = (report: Report) => void
