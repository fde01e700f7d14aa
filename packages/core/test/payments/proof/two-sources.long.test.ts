import { isDeepStrictEqual } from 'node:util'
import { createPaymentVerifier, type VerificationResult } from '@tonplug/core'
import { expect, it } from 'vitest'
import { mutate, MUTATIONS, placesOf } from '../../mutations.js'
import { createRandom } from '@tonplug/test-support/random'
import { startSigned } from './signed-shop.js'
import { lying, startPaid, type Lie } from './two-sources.js'

const { MUTANTS: mutants = '600', CONTROLS: controls = '1000' } = process.env
const MUTANTS = Number(mutants)
const CONTROLS = Number(controls)
const LIMIT_MS = 600_000 + (MUTANTS + CONTROLS) * 1000

/** Returns what a proof says about the money. Transactions before the payer's message are only names of the payment. */
function factsOf(verdict: VerificationResult): unknown {
  if (verdict.kind !== 'verified') return verdict
  return verdict.payments.map((payment) => ({ ...payment, transactions: [] }))
}

/** Changes one value of a response, at a random place. */
function randomLie(random: () => number): Lie {
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  return (text) => {
    const json: unknown = JSON.parse(text)
    return JSON.stringify(mutate(json, oneOf(placesOf(json)), oneOf(MUTATIONS))) ?? ''
  }
}

it.each(['first index', 'second index', 'cells'] as const)(
  `S141 never proves another payment than the true one while the %s changes any value, ${MUTANTS} times`,
  async (liar) => {
    const { native, token, reported, index, cells } = await startPaid()
    const random = createRandom(41)
    const { signal } = new AbortController()
    const kinds = new Map<string, number>()
    const invented: VerificationResult[] = []
    for (const transfer of [native, token]) {
      const honest = createPaymentVerifier({ sources: [index(), index()] })
      const truth = await honest.verify(reported(transfer), { signal })
      expect(truth.kind).toBe('verified')
      for (let run = 0; run < MUTANTS / 2; run++) {
        const fetch = lying(randomLie(random))
        const sources = {
          'first index': [index(fetch), cells()],
          'second index': [index(), index(fetch)],
          cells: [index(), cells(fetch)],
        } as const
        const verifier = createPaymentVerifier({ sources: [...sources[liar]] })
        const verdict: VerificationResult = await verifier.verify(reported(transfer), { signal })
        if (verdict.kind === 'verified' && !isDeepStrictEqual(factsOf(verdict), factsOf(truth)))
          invented.push(verdict)
        kinds.set(verdict.kind, (kinds.get(verdict.kind) ?? 0) + 1)
      }
    }
    expect(invented).toEqual([])
    console.log(liar, Object.fromEntries(kinds))
    expect(kinds.get('verified')).toBeLessThan(MUTANTS)
  },
  LIMIT_MS,
)

it(
  `S141 never proves another payment than the true one beside signed blocks while the index changes any value, ${MUTANTS} times`,
  async () => {
    const { native, token, reported, index, open } = await startSigned()
    const random = createRandom(42)
    const { signal } = new AbortController()
    const kinds = new Map<string, number>()
    const invented: VerificationResult[] = []
    for (const transfer of [native, token]) {
      const signed = open()
      const honest = createPaymentVerifier({ sources: [index(), signed] })
      const truth = await honest.verify(reported(transfer), { signal })
      expect(truth.kind).toBe('verified')
      for (let run = 0; run < MUTANTS / 2; run++) {
        const sources = [index(lying(randomLie(random))), signed] as const
        const verdict = await createPaymentVerifier({ sources: [...sources] }).verify(
          reported(transfer),
          { signal },
        )
        if (verdict.kind === 'verified' && !isDeepStrictEqual(factsOf(verdict), factsOf(truth)))
          invented.push(verdict)
        kinds.set(verdict.kind, (kinds.get(verdict.kind) ?? 0) + 1)
      }
    }
    expect(invented).toEqual([])
    console.log('beside signed blocks', Object.fromEntries(kinds))
    expect(kinds.get('verified')).toBeLessThan(MUTANTS)
  },
  LIMIT_MS,
)

it(
  `completes each of ${CONTROLS} true payments, and holds few of them for a second look`,
  async () => {
    const { native, token, reported, index, cells, open } = await startSigned()
    const { signal } = new AbortController()
    const verifiers = [cells(), open()].map((other) =>
      createPaymentVerifier({ sources: [index(), other] }),
    )
    const held: VerificationResult[] = []
    for (let run = 0; run < CONTROLS; run++) {
      const transfer = run % 2 === 0 ? native : token
      const verifier = verifiers[(run >> 1) % 2]!
      let verdict = await verifier.verify(reported(transfer), { signal })
      // A busy machine does not answer each request in time.
      if (verdict.kind === 'pending') {
        held.push(verdict)
        verdict = await verifier.verify(reported(transfer), { signal })
      }
      expect(verdict).toMatchObject({ kind: 'verified' })
    }
    console.log('held', held)
    expect(held.length).toBeLessThanOrEqual(CONTROLS / 1000)
  },
  LIMIT_MS,
)
