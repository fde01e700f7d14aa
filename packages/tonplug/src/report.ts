/** What a command found or did, for people and for scripts. */
export interface Report {
  /** Whether there was something, and all of it was done: exit code 0, otherwise 1. */
  isDone: boolean
  /** The one document that `--json` prints. */
  json: object
  /** What is printed without `--json`. */
  text: string
}

/** Takes the report of the command that ran. */
export type Deliver = (report: Report) => void
