import { z } from 'zod'
import type { PaymentItem, PaymentRequest } from './payment-request.js'

/** The longest connect link whose request wallet apps read, characters. */
const MOST_CHARACTERS = 1024

const digits = z.string().regex(/^\d+$/)
const boc = z.base64()

const MESSAGE = z.strictObject({ a: z.string(), am: digits, p: boc.optional() })
const TON_ITEM = z.strictObject({ t: z.literal('ton'), ...MESSAGE.shape })
const JETTON_ITEM = z.strictObject({
  t: z.literal('jetton'),
  ma: z.string(),
  d: z.string(),
  am: digits,
  rd: z.string().optional(),
  fa: digits.optional(),
  fp: boc.optional(),
})

/** The compact form of a request to send a transaction. A name that the protocol does not have is refused. */
const REQUEST = z.strictObject({
  m: z.literal('st'),
  f: z.string().optional(),
  n: z.enum(['-239', '-3']).optional(),
  vu: z.number().int().optional(),
  ms: z.array(MESSAGE).optional(),
  i: z.array(z.discriminatedUnion('t', [TON_ITEM, JETTON_ITEM])).optional(),
})

/**
 * Returns the value of the parameter `e` of a connect link; undefined without one, and for a link that is too long: wallet apps
 * then connect without a request.
 */
export function embeddedOf(link: string): string | undefined {
  if (link.length > MOST_CHARACTERS) return undefined
  return new URL(link).searchParams.get('e') ?? undefined
}

/**
 * Reads an embedded request, the value of the parameter `e` of a connect link. Source: "Embedded requests" of
 * https://github.com/ton-blockchain/ton-connect.
 * @throws {Error} when it is not one to send transactions.
 */
export function readEmbedded(embedded: string): PaymentRequest {
  const { f: from, vu: validUntil, ms, i } = REQUEST.parse(parseEmbedded(embedded))
  const messages = ms?.map(({ a: address, am: amount, p: payload }) => ({
    address,
    amount,
    payload,
  }))
  return { validUntil, from, messages, items: i?.map(readItem) }
}

function parseEmbedded(embedded: string): unknown {
  try {
    return JSON.parse(Buffer.from(embedded, 'base64url').toString())
  } catch (cause) {
    const expected = 'ton://transfer/<address>?amount=… or an embedded request'
    throw new Error(`expected ${expected}; received ${embedded}`, { cause })
  }
}

function readItem(item: z.infer<typeof TON_ITEM> | z.infer<typeof JETTON_ITEM>): PaymentItem {
  if (item.t === 'ton') {
    return { type: 'ton', address: item.a, amount: item.am, payload: item.p }
  }
  return {
    type: 'jetton',
    master: item.ma,
    destination: item.d,
    amount: item.am,
    responseDestination: item.rd,
    forwardAmount: item.fa,
    forwardPayload: item.fp,
  }
}
