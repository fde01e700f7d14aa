import type { Clock } from '@tonplug/core'
import { z } from 'zod'
import type { OtherAssets } from './assets.js'
import type { DeliveryFetch } from './attempt.js'

/** Returns an owner's wallet for a jetton, in any address format; `undefined` when the chain does not have the jetton. */
export type FindJettonWallet = (jetton: {
  master: string
  owner: string
}) => string | undefined | Promise<string | undefined>

/** Options of `createMockGateway`. */
export interface MockGatewayOptions {
  /**
   * The webhook route, for example `http://127.0.0.1:3000/webhooks/ton`; or a function that returns it for
   * each delivery, for a shop that starts later. Without it no webhooks are sent.
   */
  url?: string | (() => string) | undefined
  /** The webhook secret. */
  secret: string
  /** The clock of timeouts, retries and dates. @default systemClock */
  clock?: Clock | undefined
  /**
   * Name of the signature header, or several names: the gateway's description uses
   * `x-pay-signature`, its SDK `x-tonpay-signature`.
   * @default 'x-tonpay-signature'
   */
  header?: string | readonly string[] | undefined
  /**
   * The merchant's API key. With it the mock is as strict as the gateway: the response to another key is 401, and a
   * transfer that is created over HTTP without the key must have a recipient and never sends a webhook.
   * @default every request counts as the merchant's
   */
  apiKey?: string | undefined
  /** The merchant's wallet, for transfers without a recipient. @default that of `transferCompleted` */
  recipientAddr?: string | undefined
  /** The buyer's wallet, for transfers without a sender. @default that of `transferCompleted` */
  senderAddr?: string | undefined
  /** Jettons besides USDT; a function receives the canonical address of a master. @default [] */
  assets?: OtherAssets | undefined
  /**
   * Returns an owner's wallet for a jetton, the destination of a transfer's message. Without it, or if it returns
   * `undefined`, the address is a placeholder. An asynchronous function is used for transfers that are created over HTTP
   * only.
   */
  jettonWallet?: FindJettonWallet | undefined
  /** Number of transfers that are kept, the newest ones. @default 10_000 */
  maxTransfers?: number | undefined
  /** Number of attempts that are kept in the log, the newest ones. @default 1000 */
  maxAttempts?: number | undefined
  /** Makes the requests of deliveries. @default globalThis.fetch */
  fetch?: DeliveryFetch | undefined
}

/** Options with the clock. */
export type TimedOptions = MockGatewayOptions & { clock: Clock }

const text = z.string().optional()
const limit = z.int().min(1).optional()
const isFunction = (value: unknown): boolean => typeof value === 'function'

/** The schema of the options. */
export const OPTIONS = z.strictObject({
  url: z
    .custom<string | (() => string)>(
      (value) => typeof value === 'string' || isFunction(value),
      'must be a URL or a function that returns one',
    )
    .optional(),
  // The dispatcher checks it.
  secret: z.any().optional(),
  clock: z.custom<Clock>().optional(),
  header: z.union([z.string(), z.array(z.string())], 'must be the name of a header').optional(),
  apiKey: z.string().min(1, 'must not be empty. Omit it if the merchant has none').optional(),
  recipientAddr: text,
  senderAddr: text,
  // createAssets checks them.
  assets: z.any().optional(),
  jettonWallet: z.custom<FindJettonWallet>(isFunction, 'must be a function').optional(),
  maxTransfers: limit,
  maxAttempts: limit,
  fetch: z.custom<DeliveryFetch>(isFunction, 'must be a function').optional(),
} satisfies Record<keyof MockGatewayOptions, z.ZodType>)
