import { canonicalAddress, isTonplugError } from '@tonplug/core'
import { PageRequestError } from '../page-request-error.js'

/** The parts of a link that opens a wallet app: `ton://transfer/<address>?amount=…`. */
export interface PaymentLink {
  /** A friendly address. */
  recipient: string
  /** Base units. */
  rawAmount: bigint
  /** The jetton master; absent for the native coin. */
  jetton?: string | undefined
  /** The comment. */
  text?: string | undefined
  /** The body, a bag of cells in base64, instead of a comment. */
  bin?: string | undefined
  /** Unix seconds until which a wallet app pays the link. */
  expiresAt?: number | undefined
}

const LINK = /^ton:\/\/transfer\/([\w-]{48})(?:\?(.*))?$/

/** Reads a link. @throws {PageRequestError} when it is not a link with an amount. */
export function readLink(link: string): PaymentLink {
  const [, recipient, query = ''] = LINK.exec(link.trim()) ?? []
  const fields = new Map(query.split('&').map(readPair))
  const rawAmount = readWhole(fields.get('amount'))
  if (recipient === undefined || rawAmount === undefined || rawAmount === 0n) {
    throw new PageRequestError(400, 'The link must be ton://transfer/<address>?amount=….')
  }
  const jetton = fields.get('jetton')
  if (!isAddress(recipient) || (jetton !== undefined && !isAddress(jetton))) {
    throw new PageRequestError(400, 'The link contains an invalid address.')
  }
  const expiresAt = readWhole(fields.get('exp'))
  return {
    recipient,
    rawAmount,
    jetton,
    text: fields.get('text'),
    bin: fields.get('bin'),
    ...(expiresAt !== undefined && { expiresAt: Number(expiresAt) }),
  }
}

/** Writes a link without its expiry. */
export function writeLink({ recipient, rawAmount, jetton, text, bin }: PaymentLink): string {
  const fields = { amount: `${rawAmount}`, jetton, text, bin }
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `ton://transfer/${recipient}?${pairs.join('&')}`
}

// Not URLSearchParams: it reads a `+`, which base64 contains, as a space.
function readPair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=', 2)
  try {
    return [name, decodeURIComponent(value + pair.slice(name.length + 1 + value.length))]
  } catch {
    throw new PageRequestError(400, `The parameter ${name} of the link is not URL-encoded.`)
  }
}

function readWhole(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,30}$/.test(text) ? BigInt(text) : undefined
}

/** Returns true for an address in any format. */
export function isAddress(text: string): boolean {
  try {
    return canonicalAddress(text) !== ''
  } catch (error) {
    if (!isTonplugError(error)) throw error
    return false
  }
}
