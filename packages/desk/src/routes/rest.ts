import { isTonplugError, restInvoice, type InvoiceReader } from '@tonplug/core'
import type { OperatorReader } from '@tonplug/core/operator'
import type { RestRequest } from '../api.js'
import type { DeskOptions } from '../options.js'
import { DeskRequestError } from '../responses.js'
import { coinsOf } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'

const NOTHING =
  'The chain shows no part of the price that nothing else has used, so the rest is not known.'
const EXPIRED = 'The price of the order has expired. Agree on a new one with the customer.'
const NO_LINK = 'No link can be made for this order. A developer finds the reason in the log.'

/**
 * Returns the link with which a customer pays what is missing of an order.
 * @throws {DeskRequestError} without a reference.
 */
export async function askForRest(
  { payments, v3, network }: Pick<DeskOptions, 'payments' | 'v3' | 'network'>,
  words: Vocabulary,
  parameters: URLSearchParams,
): Promise<RestRequest> {
  const reference = parameters.get('reference') ?? ''
  const merchant = parameters.get('merchant') ?? ''
  if (reference === '') throw new DeskRequestError(400, 'INVALID', 'Give a reference.')
  try {
    const rest = await restInvoice({ payments, reference, merchant, v3: readerOf(v3), network })
    if (rest === undefined) return { problem: NOTHING }
    const { rawAmount, asset, decimals, link, expiresAt } = rest
    const amount = coinsOf(`${rawAmount}`, words.coins.of(asset, { decimals }))
    return { amount, link, expiresAtMs: expiresAt?.getTime() }
  } catch (error) {
    if (!isTonplugError(error)) throw error
    if (error.code === 'ERR_TONPLUG_INVOICE_EXPIRED') return { problem: EXPIRED }
    payments.internals.logger.warn('desk request for the rest of an order failed', {
      reference,
      error,
    })
    return { problem: NO_LINK }
  }
}

/** Only invoices in jettons need the client. */
function readerOf(v3: DeskOptions['v3']): InvoiceReader | undefined {
  const canRead = v3 !== undefined && 'jettonMasters' in v3
  // The result of createV3Client() has every method.
  return canRead ? (v3 as OperatorReader & InvoiceReader) : undefined
}
