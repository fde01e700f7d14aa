const ABOUT_MESSAGE = /external message|duplicate message/i
const REJECTED =
  /cannot apply external message|external message (?:was|is) not accepted|inbound external message rejected/i
/** What nodes and tonlib say of a message that is none. */
const MALFORMED = /external message (?:is|must|too)|bag.of.cells|pars\w+ (?:boc|external message)/i
const DUPLICATE = /duplicate (?:message|msg_seqno)/i
/** The node could not look at the message, or has had too many for that account within ten seconds. */
const LATER =
  /: (?:not ready|timeout)|failed to get account state|too many (?:pending )?external message/i
/** The node says so before it looks at a message. */
const UNTOUCHED = /LITE_SERVER_NOTREADY|: not ready|too many (?:pending )?external message/i
const EXIT_CODE = /exit ?code(?: |=|: ?)(-?\d+)/i
const SUCCESS_CODES = new Set([0, 1])
const LOG = /VM Log(?: \(truncated\))?:\s*/i
const SENDS = new Set(['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'estimateFee'])

/** What became of a message: refused for good, known already, or not looked at yet. */
export type MessageOutcome = 'rejected' | 'duplicate' | 'later'

/**
 * What an error text says about a message that was sent; `undefined` when it says nothing about it.
 * Source: the texts of the node's pool of external messages and of its liteserver, and a recorded answer.
 */
export function readOutcome(endpoint: string, reason: string): MessageOutcome | undefined {
  const isSend = SENDS.has(endpoint)
  if (!isSend && !ABOUT_MESSAGE.test(reason)) return undefined
  // A log of the contract's run may follow, with any words.
  const [head = ''] = reason.split('\n', 1)
  if (LATER.test(head)) return 'later'
  if (DUPLICATE.test(head)) return 'duplicate'
  const isRejected =
    REJECTED.test(reason) || (isSend && (MALFORMED.test(head) || hasFailed(reason)))
  return isRejected ? 'rejected' : undefined
}

/** Whether the text says that the node did nothing about the request: it comes before any log of a run. */
export function readUntouched(reason: string): boolean {
  const [head = ''] = reason.split('\n', 1)
  return UNTOUCHED.test(head)
}

/** Whether the text tells the exit code of a contract that failed. */
function hasFailed(reason: string): boolean {
  const { exitCode } = readRejection(reason)
  return exitCode !== undefined && !SUCCESS_CODES.has(exitCode)
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
