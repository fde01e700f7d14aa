import { ConfigurationError } from '../errors/configuration.js'
import { attempt } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import { FOUND_BY } from '../orders/found-by.js'
import type { Order, PaymentSource } from '../orders/order.js'
import type { TransferData } from '../webhook/payload.js'
import { settle, type SettleOptions } from './settle.js'

/** A transfer that was found, and that no webhook has told, so far. */
export interface FoundTransfer {
  transfer: TransferData
  foundBy: PaymentSource
  /** The hash of the payer's message, lower-case hex, where it is known: one message pays one order. */
  message?: string | undefined
}

/** What takes transfers that were found elsewhere. Every receiver does. */
export interface FoundTransferTaker {
  /** Tells receivers apart that share an inbox. */
  readonly name: string
  /** Our wallets in canonical spelling, as given in the options. */
  readonly recipients: readonly string[] | undefined
  /**
   * Takes a transfer that was found on the chain, or by asking the gateway, as if a webhook had told it: it is stored as
   * a delivery, and the same rules, the same transition and the same handlers follow. A webhook may tell it meanwhile.
   * @returns the decision; `undefined` when this payment has been taken for another order.
   * @throws {RepositoryError} when a store fails; {RuleError} when a function given in the options throws;
   *   {ConfigurationError} before `start` and after `close`.
   */
  settleFound(found: FoundTransfer): Promise<Decision | undefined>
}

/** @param isOpen whether handlers are known and run */
export function createSettleFound<O extends Order>(
  options: SettleOptions<O>,
  isOpen: () => boolean,
): FoundTransferTaker['settleFound'] {
  const { inbox } = options
  return async ({ transfer, foundBy, message }) => {
    if (!isOpen()) {
      const problem = 'the receiver has not been started, or was closed'
      throw new ConfigurationError({ option: 'receiver', problem })
    }
    const { reference } = transfer
    if (message !== undefined && inbox.claimPayment !== undefined) {
      const claim = { payment: message, reference }
      const holder = await attempt('inbox.claimPayment', async () => inbox.claimPayment?.(claim))
      if (holder !== reference) return undefined
    }
    const rawBody = writeDelivery(transfer)
    return settle(options, { transfer, rawBody, signedWith: FOUND_BY[foundBy] })
  }
}

/** The same bytes each time that it is found. */
function writeDelivery(transfer: TransferData): string {
  const { date: timestamp } = transfer
  return JSON.stringify({ event: 'transfer.completed', timestamp, data: transfer })
}
