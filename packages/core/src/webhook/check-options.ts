import { canonicalAddress } from '../address/address.js'
import { ConfigurationError } from '../errors/configuration.js'
import type { Inbox } from '../inbox/inbox.js'
import type { Order } from '../orders/order.js'
import type { AcceptAmount, Rule } from '../orders/rules.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import type { ReceiverInstrumentation } from './instrumentation.js'
import type { WebhookReceiverOptions } from './options.js'

// Timers of longer than this fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The value of an option that is a number above zero. @throws {ConfigurationError} when it is not. */
export function positive<Value extends number | undefined>(
  option: string,
  value: Value,
  max = LONGEST_TIMER_MS,
): Value {
  // A caller without types may give a text, which compares like a number.
  const isNumber = value === undefined || typeof value === 'number'
  if (isNumber && (value === undefined || (value > 0 && value <= max))) return value
  const problem = `is ${JSON.stringify(value)}; give a number above zero and up to ${max}`
  throw new ConfigurationError({ option, problem })
}

const INBOX_METHODS = [
  'store',
  'decide',
  'claimDeliveries',
  'postpone',
  'matchReference',
  'find',
  'claimTasks',
  'extendLease',
  'finishTask',
  'nextDueMs',
  'stats',
  'forgetDecided',
] as const satisfies readonly (keyof Inbox)[]

/** @throws {ConfigurationError} when a method is missing that the receiver calls. */
export function checkInbox(inbox: Inbox): Inbox {
  const missing = INBOX_METHODS.filter((method) => typeof inbox?.[method] !== 'function')
  if (missing.length === 0) return inbox
  const problem = `has no ${missing.join(', ')}; give an inbox, and await what makes one`
  throw new ConfigurationError({ option: 'inbox', problem })
}

/** @throws {ConfigurationError} when it is no list of functions. */
export function checkRules<O extends Order>(rules: readonly Rule<O>[]): readonly Rule<O>[] {
  if (isList(rules) && rules.every((rule) => typeof rule === 'function')) return rules
  throw new ConfigurationError({ option: 'rules', problem: 'is no list of functions; give [rule]' })
}

/** @throws {ConfigurationError} when it is no function. */
export function checkAcceptAmount<O extends Order>(
  acceptAmount: AcceptAmount<O> | undefined,
): AcceptAmount<O> | undefined {
  if (acceptAmount === undefined || typeof acceptAmount === 'function') return acceptAmount
  const problem = `is a ${typeof acceptAmount}; give a function that answers a boolean`
  throw new ConfigurationError({ option: 'acceptAmount', problem })
}

/** A factory that was not called would do nothing, and nobody would see that. */
export function checkInstrumentation(
  instrumentation: ReceiverInstrumentation,
): ReceiverInstrumentation {
  if (typeof instrumentation === 'object') return instrumentation
  const problem = `is a ${typeof instrumentation}; give an object, as openTelemetryInstrumentation() returns it`
  throw new ConfigurationError({ option: 'instrumentation', problem })
}

/** @throws {ConfigurationError} when payments could not be proven, or could be used twice. */
export function checkProof<O extends Order>(
  { verifyOnChain, recipients }: WebhookReceiverOptions<O>,
  inbox: Inbox,
): PaymentProof | undefined {
  if (verifyOnChain === undefined) return undefined
  const option = 'verifyOnChain'
  if (typeof verifyOnChain?.prove !== 'function') {
    const problem = `is a ${typeof verifyOnChain} without prove(); give what createPaymentProof() returns`
    throw new ConfigurationError({ option, problem })
  }
  positive('verifyOnChain.deadlineMs', verifyOnChain.deadlineMs, Number.MAX_SAFE_INTEGER)
  if (recipients === undefined) {
    const problem =
      'needs `recipients`: the chain shows to whom money went, not that it is yours. Give [] when each order has its own recipient'
    throw new ConfigurationError({ option, problem })
  }
  if (typeof inbox.claimPayment !== 'function') {
    const problem = `needs an inbox with claimPayment, so that no payment pays two orders; ${inbox.name} has none. Implement it, or use memoryInbox or postgresInbox`
    throw new ConfigurationError({ option, problem })
  }
  return verifyOnChain
}

/** A word that is misspelt would count as the other one. */
export function oneOf<Word extends string>(
  option: string,
  given: Word | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  const word = given ?? words[0]
  if (words.includes(word)) return word
  const problem = `is ${JSON.stringify(word)}; give ${words.map((one) => `'${one}'`).join(' or ')}`
  throw new ConfigurationError({ option, problem })
}

/** A caller without types may give a single address, or a text for a list. */
function isList(value: unknown): boolean {
  return Array.isArray(value)
}

export function checkRecipients(
  recipients: readonly string[] | undefined,
): readonly string[] | undefined {
  if (recipients === undefined) return undefined
  if (isList(recipients)) return recipients.map(checkRecipient)
  const problem = `is ${JSON.stringify(recipients)}; give a list of addresses`
  throw new ConfigurationError({ option: 'recipients', problem })
}

function checkRecipient(recipient: string): string {
  try {
    return canonicalAddress(recipient)
  } catch (cause) {
    const problem = `${JSON.stringify(recipient)} is not a TON address; see cause`
    throw new ConfigurationError({ option: 'recipients', problem, cause })
  }
}

export function checkHeaderNames(names: readonly string[]): readonly string[] {
  if (
    isList(names) &&
    names.length > 0 &&
    names.every((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
  ) {
    return names.map((name) => name.toLowerCase())
  }
  throw new ConfigurationError({
    option: 'signatureHeaders',
    problem: `is ${JSON.stringify(names)}; give at least one name of a header, such as 'x-pay-signature'`,
  })
}
