import type { Order } from '../orders/order.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import { PROOF_TASK } from './proof-task.js'
import { proveDelivery } from './prove-delivery.js'
import type { SettleOptions } from './settle.js'
import type { Lane } from './worker.js'

/** More would only wait for the rate limit together. */
const PLACES = 4
/** Longer than the two requests of one look may take. */
const TIMEOUT_MS = 150_000
/** Of what no look is counted for, such as a database that is away. */
const RETRY = { maxAttempts: Infinity, minDelayMs: 1000, maxDelayMs: 300_000 }

/** Without a proof, tasks are left so long to servers that have one: a deploy may be switching it on, or off. */
const PATIENCE_MS = 3_600_000
const PLACES_WITHOUT_PROOF = 50

/** What stands in for a proof that was switched off: what waits for it is given up, and no order is paid on a word. */
const NO_PROOF: PaymentProof = {
  deadlineMs: 0,
  prove: () => {
    const detail = 'verifyOnChain was switched off; replay it when it is on again'
    return Promise.resolve({ kind: 'unsettled', reason: 'not_asked', detail })
  },
}

interface ProofLaneOptions extends Pick<Lane, 'name' | 'inbox' | 'logger' | 'instrumentation'> {
  proof: PaymentProof | undefined
}

/**
 * The lane that proves payments on the chain, or gives up what a proof left that was switched off; none for an inbox that
 * no proof can work with.
 * @param stopped ends what runs
 */
export function createProofLane<O extends Order>(
  { name, inbox, proof, logger, instrumentation }: ProofLaneOptions,
  settle: SettleOptions<O>,
  stopped: AbortSignal,
): Lane[] {
  const claimPayment = inbox.claimPayment?.bind(inbox)
  if (claimPayment === undefined) return []
  const options = { ...settle, proof: proof ?? NO_PROOF, claimPayment, logger }
  return [
    {
      name,
      inbox,
      instrumentation,
      clock: settle.clock,
      logger,
      handlers: () => [PROOF_TASK],
      ...(proof === undefined
        ? { places: PLACES_WITHOUT_PROOF, patienceMs: PATIENCE_MS }
        : { places: PLACES }),
      handlerRetry: RETRY,
      handlerTimeoutMs: TIMEOUT_MS,
      runTask: async (task, signal) => {
        try {
          return await proveDelivery(options, task, AbortSignal.any([signal, stopped]))
        } catch (error) {
          if (!stopped.aborted) throw error
          const retryAtMs = settle.clock.nowMs()
          return { kind: 'retry', retryAtMs, error: 'the process was stopped while it looked' }
        }
      },
    },
  ]
}
