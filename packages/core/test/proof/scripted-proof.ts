import type { PaymentProof, ProofVerdict } from '@tonplug/core'

/** A chain that says what it is told to. */
export interface ScriptedProof extends PaymentProof {
  /** What it shows; `undefined` for each payment as its webhook tells it. */
  verdict: ProofVerdict | undefined
  /** How often it was asked. */
  looks: number
}

export const HOUR_MS = 3_600_000

/** What an index says that does not have the payment. */
export const UNSEEN: ProofVerdict = {
  kind: 'unsettled',
  reason: 'not_found',
  detail: 'nothing there',
}

/** @param verdict what it shows at first */
export function scriptedProof(verdict?: ProofVerdict, deadlineMs = HOUR_MS): ScriptedProof {
  const script: ScriptedProof = {
    verdict,
    looks: 0,
    deadlineMs,
    prove({ transfer: { txHash, rawAmount } }) {
      script.looks++
      const payments = [{ message: txHash, credits: [txHash], amount: BigInt(rawAmount) }] as const
      return Promise.resolve(script.verdict ?? { kind: 'proven', payments })
    },
  }
  return script
}
