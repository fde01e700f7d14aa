import { ConfigurationError } from '../errors/configuration.js'
import type { Decision } from '../orders/decision.js'
import { FOUND_BY } from '../orders/found-by.js'
import type { Order, PaymentSource } from '../orders/order.js'
import type { TransferData } from '../webhook/payload.js'
import { claimCredits } from './claim-credits.js'
import type { Inbox } from './inbox.js'
import { settle, type SettleOptions } from './settle.js'
import type { AuthenticTransfer } from './store-delivery.js'

/** A transfer that was found, and that no webhook has told, so far. */
export interface FoundTransfer {
  transfer: TransferData
  foundBy: PaymentSource
  /**
   * What tells the money that arrived, such as the hash of the message that brought it; in a fixed order. Each is claimed
   * for the order, so that no money pays two.
   */
  credits?: readonly string[] | undefined
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
  return async (found) => {
    if (!isOpen()) {
      const problem = 'the receiver has not been started, or was closed'
      throw new ConfigurationError({ option: 'receiver', problem })
    }
    if (!(await claimFound(options, found))) return undefined
    return settle(options, toAuthentic(found))
  }
}

/** Whether all that arrived is free to pay its order, or has paid it; where the inbox keeps which one it paid. */
export function claimFound(
  { inbox, name: receiver }: { inbox: Inbox; name: string },
  { credits = [], transfer: { reference } }: FoundTransfer,
): Promise<boolean> {
  return claimCredits(inbox, credits, { receiver, reference })
}

/** As a webhook would tell it: the same bytes each time that it is found. */
export function toAuthentic({ transfer, foundBy }: FoundTransfer): AuthenticTransfer {
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  return { transfer, rawBody: JSON.stringify(payload), signedWith: FOUND_BY[foundBy] }
}
