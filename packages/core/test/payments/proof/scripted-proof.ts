import type { PaymentVerifier, VerificationResult } from '@tonplug/core'

/** A proof with a scripted verdict. */
export interface ScriptedProof extends PaymentVerifier {
  /** The verdict; with `undefined` each payment is proven as reported. */
  verdict: VerificationResult | undefined
  /** The number of calls of `prove`. */
  looks: number
}

export const HOUR_MS = 3_600_000

/** The verdict for a payment that the index does not have. */
export const UNSEEN: VerificationResult = {
  kind: 'pending',
  reason: 'not_found',
  detail: 'nothing there',
}

/** Returns a proof with this verdict at first. */
export function scriptedProof(verdict?: VerificationResult, deadlineMs = HOUR_MS): ScriptedProof {
  const script: ScriptedProof = {
    verdict,
    looks: 0,
    deadlineMs,
    verify({ transfer: { txHash, rawAmount } }) {
      script.looks++
      const payments = [
        {
          message: txHash,
          credits: [txHash],
          amount: BigInt(rawAmount),
          utime: 1_700_000_000,
          transactions: [txHash],
        },
      ] as const
      return Promise.resolve(script.verdict ?? { kind: 'verified', payments })
    },
  }
  return script
}
