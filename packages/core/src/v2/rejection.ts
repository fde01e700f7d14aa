const REJECTED =
  /cannot apply external message|external message (?:was|is) not accepted|inbound external message rejected/i
const EXIT_CODE = /exit ?code(?: |=|: ?)(-?\d+)/i
const LOG = /VM Log(?: \(truncated\))?:\s*/i

/** Whether an error text says that the network does not take a message. */
export function isRejection(reason: string): boolean {
  return REJECTED.test(reason)
}

/** Whether an error text tells the exit code of a contract that failed. */
export function hasExitCode(reason: string): boolean {
  return EXIT_CODE.test(reason)
}

/**
 * What a refusal tells about the contract's run: `exitcode=33, …`, then the virtual machine's log to its end.
 * Source: API facts, part 1.2 and a recorded answer.
 */
export function readRejection(reason: string): {
  exitCode: number | undefined
  log: string | undefined
} {
  const digits = EXIT_CODE.exec(reason)?.[1]
  const log = reason.split(LOG, 2)[1]?.trim()
  return {
    exitCode: digits === undefined ? undefined : Number(digits),
    log: log === '' ? undefined : log,
  }
}
