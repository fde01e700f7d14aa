import { z } from 'zod'
import { hashCell } from '../chain/cells/hash-cell.js'
import { jettonDecimals } from '../chain/jetton-decimals.js'
import { commentBody, MAX_COMMENT_BYTES } from '../chain/write-body.js'
import { addressFlags, friendlyAddress, type AddressFlags } from '../shared/address.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { encodeBase64 } from '../shared/base64.js'
import { systemClock, type Clock } from '../shared/clock.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import { checkExpiry, secondsOf, toInvoice, transferLink, type Invoice } from '../shared/invoice.js'
import { address, asset, objectWith, parseOptions } from '../shared/options.js'
import { randomReference } from '../shared/random-reference.js'
import { formatUnits, MAX_DECIMALS, NATIVE_DECIMALS, toUnits } from '../shared/units.js'
import {
  findPayerWallet,
  paymentMessage,
  type InvoiceReader,
  type PayableJetton,
} from './payment-message.js'
import { checkRecipient } from './check-recipient.js'

/** Options of {@link createInvoice}. */
export type InvoiceOptions = {
  /**
   * The wallet that is paid, in any format; not a jetton wallet. A friendly address keeps its flags in links and messages.
   */
  wallet: string
  /** `'TON'` (or `'GRAM'`), or the address of the jetton master in any format. */
  asset: string
  /**
   * The comment of the payment, by which the watcher finds it: up to 123 bytes. Pass the reference of a stored order to
   * create its invoice again.
   * @default 26 random characters (129 bits), which no older payment can carry
   */
  reference?: string | undefined
  /** The decimals of the jetton. @default the metadata of its master states them */
  decimals?: number | undefined
  /** Wallets reject the payment afterwards. One that arrives nevertheless is `late`. @default never */
  expiresAt?: Date | undefined
  /** @default 'testnet' for a test-only `wallet` (`kQ…`, `0Q…`), otherwise 'mainnet' */
  network?: 'mainnet' | 'testnet' | undefined
  /**
   * A client of that network; required for jettons. It reads decimals and the addresses of jetton wallets, and refuses a
   * `wallet` that is a contract of a jetton.
   */
  v3?: InvoiceReader | undefined
  /** @default systemClock */
  clock?: Clock | undefined
} & (
  | {
      /** Whole coins, for example `'10.5'`. */
      amount: string
      rawAmount?: undefined
    }
  | {
      /** Base units. */
      rawAmount: bigint
      amount?: undefined
    }
)

// Words of visible characters with one ordinary space between them: wallets and people change any other space.
// U+FFFD replaces bytes that cannot be read.
const VISIBLE = /^[^\p{C}\p{Z}\uFFFD]+(?: [^\p{C}\p{Z}\uFFFD]+)*$/u
const REFERENCE = `must be 1 to ${MAX_COMMENT_BYTES} bytes of visible characters, without spaces at its ends. Omit it for a random one`

/** Amounts of coins and jettons have at most 120 bits. */
const MAX_RAW_AMOUNT = 2n ** 120n - 1n
/** Wallet contracts have 32 bits for the expiry. */
const MAX_EXPIRY_MS = (2 ** 32 - 1) * 1000

const OPTIONS = z.strictObject({
  wallet: address,
  asset,
  reference: z.string(REFERENCE).refine(isSendable, REFERENCE).optional(),
  amount: z.string("must be whole coins as a string, for example '10.5'").optional(),
  rawAmount: z.bigint('must be base units as a bigint').optional(),
  decimals: z.int().min(0).max(MAX_DECIMALS).optional(),
  expiresAt: z.custom<Date>(isExpiry, 'must be a valid Date before 2106').optional(),
  network: z.enum(['mainnet', 'testnet']).optional(),
  v3: objectWith<InvoiceReader>('the result of createV3Client()', [
    'jettonMasters',
    'runGetMethod',
  ]).optional(),
  clock: objectWith<Clock>('a Clock', ['nowMs']).default(systemClock),
} satisfies Record<keyof InvoiceOptions, z.ZodType>)

type CheckedOptions = z.output<typeof OPTIONS>

/**
 * Creates an invoice: the order to store, a link for wallet apps, and the request for TON Connect. Store `order` before the
 * payer sees the invoice. To create the invoice of a stored order again, pass its `reference`, `rawAmount`, `asset` and
 * `recipient`.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @throws {AmountError} (`ERR_TONPLUG_AMOUNT`) for an invalid `amount`.
 * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) when `expiresAt` has passed.
 * @example
 * ```ts
 * import { createInvoice } from '@tonplug/core'
 *
 * const invoice = await createInvoice({ wallet: 'UQ…your wallet', amount: '10.5', asset: 'TON' })
 * console.log(invoice.order.reference, invoice.link)
 * ```
 */
export async function createInvoice(options: InvoiceOptions): Promise<Invoice> {
  const checked = parseOptions(OPTIONS, options)
  const { reference = randomReference(), asset: paidIn, expiresAt, clock } = checked
  checkExpiry({ reference, expiresAt }, clock)
  const flags = flagsOf(options.wallet, checked.network)
  const wallet = friendlyAddress(checked.wallet, flags)
  const jetton = jettonOf(checked)
  const [decimals] = await Promise.all([
    decimalsOf(checked, jetton),
    jetton && checkRecipient(jetton.v3, checked.wallet, clock),
  ])
  const rawAmount = rawAmountOf(checked, decimals)
  const comment = commentBody(reference)
  // A chosen reference may be in an older payment. Wallets write the body of a jetton transfer differently.
  const isBound = checked.reference === undefined && jetton === undefined
  const bodyBase64Hash = isBound ? encodeBase64(await hashCell(comment)) : undefined
  const createdAt = new Date(clock.nowMs())
  const { isTestOnly } = flags
  return toInvoice({
    order: {
      reference,
      rawAmount,
      asset: paidIn,
      status: 'pending',
      recipient: wallet,
      bodyBase64Hash,
      createdAt,
    },
    amount: formatUnits(rawAmount, decimals),
    link: transferLink(wallet, {
      amount: `${rawAmount}`,
      text: reference,
      jetton: jetton && friendlyAddress(jetton.master, { isBounceable: true, isTestOnly }),
      exp: expiresAt && `${secondsOf(expiresAt.getTime())}`,
    }),
    network: isTestOnly ? 'testnet' : 'mainnet',
    expiresAt,
    clock,
    messageOf: async (sender) => {
      const jettonWallet = jetton && (await findPayerWallet(jetton, sender))
      return paymentMessage({
        sender,
        recipient: wallet,
        jettonWallet,
        rawAmount,
        comment,
        isTestOnly,
      })
    },
  })
}

/** All wallets send it unchanged: it fits into one cell, and no wallet trims or normalizes it. */
function isSendable(reference: string): boolean {
  const { length } = new TextEncoder().encode(reference)
  return length <= MAX_COMMENT_BYTES && VISIBLE.test(reference)
}

function isExpiry(value: unknown): boolean {
  // Not by `instanceof`: test runners create a separate `Date` class for each file.
  if (typeof value !== 'object' || value === null || !('getTime' in value)) return false
  const ms: unknown = typeof value.getTime === 'function' ? value.getTime() : undefined
  return typeof ms === 'number' && ms <= MAX_EXPIRY_MS
}

/** Returns the flags for the wallet's address. A raw one becomes non-bounceable: the wallet may not be deployed yet. */
function flagsOf(wallet: string, network: CheckedOptions['network']): AddressFlags {
  const { isBounceable = false, isTestOnly = false } = addressFlags(wallet) ?? {}
  if (isTestOnly && network === 'mainnet') {
    const problem = "must be 'testnet' or omitted: the wallet has a test-only address"
    throw new ConfigurationError({ option: 'network', problem })
  }
  return { isBounceable, isTestOnly: isTestOnly || network === 'testnet' }
}

function jettonOf({ asset: paidIn, v3 }: CheckedOptions): PayableJetton | undefined {
  if (paidIn === NATIVE_ASSET) return undefined
  if (v3 !== undefined) return { master: paidIn, v3 }
  const problem = 'is required for a jetton; pass the result of createV3Client()'
  throw new ConfigurationError({ option: 'v3', problem })
}

async function decimalsOf(
  { decimals }: CheckedOptions,
  jetton: PayableJetton | undefined,
): Promise<number> {
  if (jetton !== undefined) return decimals ?? jettonDecimals(jetton.v3, jetton.master)
  if (decimals === undefined || decimals === NATIVE_DECIMALS) return NATIVE_DECIMALS
  const problem = `must be ${NATIVE_DECIMALS} or omitted for the native coin; received ${decimals}`
  throw new ConfigurationError({ option: 'decimals', problem })
}

function rawAmountOf({ amount, rawAmount }: CheckedOptions, decimals: number): bigint {
  if ((amount === undefined) === (rawAmount === undefined)) {
    const received = amount === undefined ? 'neither' : 'both'
    const problem = `must be passed as amount or as rawAmount; received ${received}`
    throw new ConfigurationError({ option: 'amount', problem })
  }
  const units = rawAmount ?? toUnits(amount ?? '', decimals)
  if (units > 0n && units <= MAX_RAW_AMOUNT) return units
  throw new ConfigurationError({
    option: amount === undefined ? 'rawAmount' : 'amount',
    problem: `must be above 0 and below 2^120 base units; received ${`${units}`.slice(0, 50)}`,
  })
}
