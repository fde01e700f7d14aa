import { z } from 'zod'
import type { PaymentVerifier } from '../../ledger/payment-verifier.js'
import { contradicted } from '../../orders/unproven.js'
import { isTonplugError } from '../../../shared/tonplug-error.js'
import { objectWith, parseOptions, positive, type OptionSchemas } from '../../../shared/options.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import { systemClock, type Clock } from '../../../shared/clock.js'
import type { V3Client } from '../../../toncenter/v3/client.js'
import { agree, type ShownResult } from './agree.js'
import type { CreditWitness } from './credit-witness.js'
import { expectedOf, type ExpectedClaim } from './expected-claim.js'
import { createJettonWallets, type JettonWallets, type WalletVerdict } from './jetton-wallets.js'
import { verifyPayment } from './verify-payment.js'
import { lazy } from '../../../shared/lazy.js'
import { createTraceReader, type ReadTrace, type TraceReader } from './trace-reader.js'

const DEADLINE_MS = 3_600_000
/** An outage of one source must not refuse payments. */
const DEADLINE_OF_SEVERAL_MS = 86_400_000
/** Deadline of one look, with retries and the wait for the rate limit. */
const LOOK_MS = 60_000

/** Longest part of an error message that is kept. */
const LONGEST_DETAIL = 500

/**
 * The methods of a client of API v3 that a proof needs. With `transactions` and `messages`, payments in a trace that the
 * index refuses for its size are proven too.
 */
export type ProofReader = Pick<V3Client, 'traces' | 'runGetMethod'> &
  Partial<Pick<V3Client, 'transactions' | 'messages'>>

/** A client of API v3, or what {@link CreditWitness} describes, for example `checkedCells()` of `@tonplug/core/proof`. */
export type PaymentSource = ProofReader | CreditWitness

export interface PaymentVerifierOptions {
  /** A client of the network that the shop is paid on. Its rate limit applies, with low priority. Replaces `sources`. */
  v3?: ProofReader | undefined
  /**
   * Sources of the network that the shop is paid on, run by different operators. The first one is a client of API v3. They
   * are asked in this order.
   */
  sources?: readonly [ProofReader, ...PaymentSource[]] | undefined
  /**
   * Number of sources that must show the same payment: account, transaction, logical time, amount, asset, sender, body and
   * final blocks. While fewer have answered, the payment waits; if two differ, it is `unverified` with the reason
   * `sources_differ`.
   * @default all sources
   */
  require?: number | undefined
  /**
   * Milliseconds that a payment may stay unproven, from the moment that its decision waits for the proof. After that it
   * is `unverified`.
   * @default 3_600_000 (one hour); 86_400_000 (one day) with several sources
   */
  deadlineMs?: number | undefined
  /**
   * Nanocoins that may be missing from a direct payment in the native coin: for payers whose wallets subtract the fee of
   * the message from the value. Fees of forwarding contracts need no allowance.
   * @default 0n
   */
  feeAllowance?: bigint | undefined
  /** Dates the traces that proofs share for half a minute. @default the clock of this machine */
  clock?: Clock | undefined
}

const INDEX = 'the result of createV3Client()'
const indexSchema = () => objectWith<ProofReader>(INDEX, ['traces', 'runGetMethod'])

const SCHEMA = lazy(() =>
  z
    .strictObject({
      v3: indexSchema().optional(),
      sources: z
        .tuple(
          [indexSchema()],
          z.union([
            indexSchema(),
            objectWith<CreditWitness>(`${INDEX} or checkedCells()`, ['compare']),
          ]),
        )
        .optional(),
      require: z.int().min(1, 'must be 1 or more').optional(),
      deadlineMs: positive.optional(),
      feeAllowance: z.bigint().min(0n, 'must be nanocoins of zero or more').default(0n),
      clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(() => systemClock),
    } satisfies OptionSchemas<PaymentVerifierOptions>)
    .superRefine(({ v3, sources, require }, context) => {
      const refuse = (path: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [path], message })
      if ((v3 === undefined) === (sources === undefined)) {
        refuse('v3', 'set either v3, or sources')
      } else if (require !== undefined && require > (sources?.length ?? 1)) {
        refuse(
          'require',
          `must be at most the number of sources, ${sources?.length ?? 1}; received ${require}`,
        )
      } else if (new Set(sources).size < (sources?.length ?? 0)) {
        refuse('sources', 'must not have a source twice')
      }
    }),
)

/**
 * Creates a proof of payments by API v3, for `verifyOnChain`: no order is fulfilled before its payment was found in a final
 * block, with the message, amount, asset, sender and recipient that the webhook reported. The jetton master and the jetton
 * wallet must name each other. A payment that is older than its order is refuted, unless the order's `bodyBase64Hash` is
 * that of the payer's message.
 * @throws {ConfigurationError} when an option is missing or cannot work.
 * @example
 * ```ts
 * import { createPaymentVerifier, createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 *
 * const payments = createPayments({
 *   orders: memoryOrderRepository(),
 *   wallets: [process.env.SHOP_WALLET ?? ''],
 *   verifyOnChain: createPaymentVerifier({ v3 }),
 *   onPaid: ({ order }) => console.log(`${order.reference} is paid, and proven`),
 *   onUnverified: ({ order, decision }) => console.error(order.reference, decision.reason),
 * })
 * ```
 */
export function createPaymentVerifier(options: PaymentVerifierOptions): PaymentVerifier {
  const { v3, feeAllowance, clock, ...parsed } = parseOptions(SCHEMA(), options)
  const sources: readonly PaymentSource[] = parsed.sources ?? (v3 === undefined ? [] : [v3])
  const { require = sources.length } = parsed
  const deadlineMs =
    parsed.deadlineMs ?? (sources.length > 1 ? DEADLINE_OF_SEVERAL_MS : DEADLINE_MS)
  const asks = sources.map((source) => toAsk(source, clock))
  return {
    deadlineMs,
    async verify(claim, { signal }) {
      const expected = expectedOf(claim, feeAllowance)
      if ('kind' in expected) return expected
      const request = { signal, deadlineMs: LOOK_MS, priority: 'low' } as const
      const shared = { isUsed: false, isRefused: false }
      const looks = asks.map((ask) => async (shown: ShownResult | undefined) => {
        try {
          return await ask({ expected, shared }, shown, request)
        } catch (error) {
          signal.throwIfAborted()
          return unreachable(isTonplugError(error) ? error.message : 'API v3 failed unexpectedly')
        }
      })
      const result = await agree(looks, require)
      if (result.kind !== 'contradicted' || !shared.isUsed) return result
      // A trace that was read for another payment proves this one, but does not refute it.
      shared.isRefused = true
      return await agree(looks, require)
    },
  }
}

type LookRequest = RequestOptions & { signal: AbortSignal }

/** Use of traces that were read for other payments. */
interface SharedTraces {
  isUsed: boolean
  isRefused: boolean
}

interface Claimed {
  expected: ExpectedClaim
  shared: SharedTraces
}

type Ask = (
  claimed: Claimed,
  shown: ShownResult | undefined,
  request: LookRequest,
) => Promise<ShownResult>

function toAsk(source: PaymentSource, clock: Clock): Ask {
  if ('compare' in source) return (_, shown, request) => compareAll(source, shown, request)
  const jettonWallets = createJettonWallets(source)
  const traces = createTraceReader(source, clock)
  return (claimed, _, request) => look({ traces, jettonWallets }, claimed, request)
}

/** Returns the answer of the index if the witness confirms it. There is nothing to compare where no payment is shown. */
async function compareAll(
  witness: CreditWitness,
  shown: ShownResult | undefined,
  request: RequestOptions,
): Promise<ShownResult> {
  if (shown === undefined) return unreachable('no index has shown the payment')
  if (shown.kind !== 'verified') return shown
  for (const claim of shown.payments.flatMap(({ claims }) => claims)) {
    const verdict = await witness.compare(claim, request)
    if (verdict.kind === 'pending') return verdict
    if (verdict.kind === 'differs') return contradicted('sources_differ', verdict.detail)
  }
  return shown
}

function unreachable(detail: string): Extract<ShownResult, { kind: 'pending' }> {
  return { kind: 'pending', reason: 'unreachable', detail: detail.slice(0, LONGEST_DETAIL) }
}

interface Tools {
  traces: TraceReader
  jettonWallets: JettonWallets
}

async function look(
  { traces, jettonWallets }: Tools,
  { expected, shared }: Claimed,
  request: LookRequest,
): Promise<ShownResult> {
  const wanted = shared.isRefused ? 'readAgain' : 'find'
  const { read, isShared } = await traces[wanted](expected, request)
  shared.isUsed ||= isShared
  return await judge(jettonWallets, { read, expected }, request)
}

async function judge(
  jettonWallets: JettonWallets,
  { read, expected }: { read: ReadTrace | undefined; expected: ExpectedClaim },
  request: LookRequest,
): Promise<ShownResult> {
  if (read === undefined) {
    const detail = `the index has no transaction ${expected.txHash}; it may be of another network`
    return { kind: 'pending', reason: 'not_found', detail }
  }
  if (read.forged !== undefined) {
    const detail = `the body of the message ${read.forged} does not have the hash that the index states`
    return { kind: 'pending', reason: 'incomplete', detail }
  }
  const verdict = verifyRead(read, expected)
  if (verdict.kind !== 'pending' || verdict.reason !== 'unknown_asset') return verdict
  const jetton = { master: expected.asset, owner: expected.recipient }
  const jettonWallet = await jettonWallets.find(jetton, request)
  if (jettonWallet === undefined) return verdict
  const named = verifyRead(read, { ...expected, jettonWallet })
  if (named.kind !== 'verified') return named
  const { [await jettonWallets.confirm(jetton, jettonWallet, request)]: denial } = DENIALS
  if (denial === undefined) return named
  const detail = `the jetton master ${jetton.master} names the account ${jettonWallet}, ${denial}`
  return { kind: 'pending', reason: 'unknown_asset', detail }
}

/** The payment may be in another part of the trace. */
function verifyRead(read: ReadTrace, expected: ExpectedClaim): ShownResult {
  const verdict = verifyPayment(read, expected)
  if (!read.isPart || verdict.kind !== 'contradicted') return verdict
  const detail = `the index refuses the trace for its size; its part around ${expected.txHash} does not hold the payment`
  return { kind: 'pending', reason: 'incomplete', detail }
}

/** Why the account that a jetton master names is not the recipient's jetton wallet. */
const DENIALS = {
  confirmed: undefined,
  denied: 'which is not a jetton wallet of this jetton and this recipient',
  undeployed: 'where the node has no contract',
} satisfies Record<WalletVerdict, string | undefined>
