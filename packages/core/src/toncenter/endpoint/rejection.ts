const ABOUT_MESSAGE = /external message|duplicate message/i
const REJECTED =
  /cannot apply external message|external message (?:was|is) not accepted|inbound external message rejected/i
/** Errors of nodes and tonlib for malformed messages. */
const MALFORMED = /external message (?:is|must|too)|bag.of.cells|pars\w+ (?:boc|external message)/i
const DUPLICATE = /duplicate (?:message|msg_seqno)/i
/** The node could not check the message, or received too many for that account within ten seconds. */
const LATER =
  /: (?:not ready|timeout)|failed to get account state|too many (?:pending )?external message/i
/** The node reports these before it checks a message. */
const UNTOUCHED = /LITE_SERVER_NOTREADY|: not ready|too many (?:pending )?external message/i
const EXIT_CODE = /exit ?code(?: |=|: ?)(-?\d+)/i
const LOG = /VM Log(?: \(truncated\))?:\s*/i
const SENDS = ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'estimateFee']

/** The outcome of a sent message: rejected permanently, received before, or not checked yet. */
export type MessageOutcome = 'rejected' | 'duplicate' | 'later'

/**
 * Reads the outcome of a sent message from an error text; `undefined` for an error about something else.
 * Source: the errors of the node's pool of external messages and of its liteserver, and a recorded response.
 */
export function readOutcome(endpoint: string, reason: string): MessageOutcome | undefined {
  const isSend = SENDS.includes(endpoint)
  if (!isSend && !ABOUT_MESSAGE.test(reason)) return undefined
  // A log of the contract's run with any words may follow.
  const [head = ''] = reason.split('\n', 1)
  if (LATER.test(head)) return 'later'
  if (DUPLICATE.test(head)) return 'duplicate'
  const isRejected =
    REJECTED.test(reason) || (isSend && (MALFORMED.test(head) || hasFailed(reason)))
  return isRejected ? 'rejected' : undefined
}

/** Returns true when the node did not process the request: its message precedes any log of a run. */
export function readUntouched(reason: string): boolean {
  const [head = ''] = reason.split('\n', 1)
  return UNTOUCHED.test(head)
}

/** Returns true for the exit code of a contract that failed. */
function hasFailed(reason: string): boolean {
  const { exitCode } = readRejection(reason)
  return exitCode !== undefined && exitCode !== 0 && exitCode !== 1
}

/**
 * Reads the contract's run from an error: `exitcode=33, …`, then the log of the virtual machine.
 * Source: API facts, part 1.2 and a recorded response.
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
