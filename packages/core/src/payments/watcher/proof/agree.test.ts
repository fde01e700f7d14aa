import { describe, expect, it } from 'vitest'
import type { Credit } from '../../ledger/credit.js'
import { agree, type ShownPayment, type ShownResult } from './agree.js'

const CREDIT = { id: 'credit', rawAmount: 7n } as Credit
const COMPARED = { id: 'compared', rawAmount: 7n } as Credit

function shown(changes: Partial<ShownPayment> = {}): Extract<ShownResult, { kind: 'verified' }> {
  const payment = {
    message: 'm',
    credits: ['credit'],
    ledgerCredits: [CREDIT],
    comparedCredits: [COMPARED],
    txHash: 't',
    amount: 7n,
    utime: 1,
    transactions: ['t'],
    claims: [
      {
        account: 'ours',
        wallet: 'ours',
        asset: 'TON',
        rawAmount: 7n,
        utime: 1,
        route: [
          {
            hash: 'm',
            sender: 'payer',
            recipient: 'ours',
            value: 7n,
            transaction: { hash: 't', lt: 5n },
          },
        ],
      },
    ],
    ...changes,
  } satisfies Partial<ShownPayment>
  return { kind: 'verified', payments: [payment] }
}

const waits = (detail: string): ShownResult => ({ kind: 'pending', reason: 'not_found', detail })
const denies = (detail: string): ShownResult => ({
  kind: 'contradicted',
  reason: 'other_amount',
  detail,
})

/** Asks sources with these answers. @returns also the earlier answer that each asked source received */
async function ask(answers: ShownResult[], required: number) {
  const told: (ShownResult | undefined)[] = []
  const looks = answers.map((answer) => async (one: ShownResult | undefined) => {
    told.push(one)
    return answer
  })
  return { result: await agree(looks, required), told }
}

describe('sources of a proof', () => {
  it('are asked until enough agree, and each receives the answer of the first one', async () => {
    const { result, told } = await ask([shown(), shown(), shown()], 2)
    expect(result.kind).toBe('verified')
    expect(told).toEqual([undefined, shown()])
  })

  it('are not asked when too few are left', async () => {
    const { result, told } = await ask([waits('none'), shown(), shown()], 3)
    expect(told).toHaveLength(1)
    expect(result).toEqual({ kind: 'pending', reason: 'not_found', detail: 'source 1: none' })
    expect((await ask([waits('none'), shown(), shown()], 2)).result.kind).toBe('verified')
    expect((await ask([shown()], 2)).result).toEqual({
      kind: 'pending',
      reason: 'unreachable',
      detail: '2 sources must show the payment',
    })
  })

  it('leave a payment pending with the first detail while too few have shown it', async () => {
    const { result } = await ask([shown(), waits('first'), waits('second')], 2)
    expect(result).toMatchObject({ detail: 'source 2: first' })
  })

  it('differ in the amount, with the answers of both', async () => {
    const [first, other] = [shown(), shown({ amount: 8n })]
    const claim = '7 of TON from payer to ours in t, lt 5'
    expect((await ask([first, waits('none'), other], 2)).result).toEqual({
      kind: 'contradicted',
      reason: 'sources_differ',
      detail: `source 1: ${claim}; source 3: ${claim}`,
    })
    expect((await ask([denies('less'), first], 2)).result).toMatchObject({
      detail: `source 1: other_amount, less; source 2: ${claim}`,
    })
  })

  it('agree on the reason of a contradiction, whatever the details are', async () => {
    const { result } = await ask([denies('less'), denies('more')], 2)
    expect(result).toEqual(denies('less'))
  })

  it('agree on credits by what is compared of them, and publish nothing else of several', async () => {
    const one = shown()
    const other = shown({ ledgerCredits: [], comparedCredits: [] })
    const { result } = await ask([one, other], 2)
    const { claims: _, comparedCredits: __, ...payment } = one.payments[0]
    expect(result).toEqual({
      kind: 'verified',
      payments: [{ ...payment, ledgerCredits: [COMPARED] }],
    })
    expect((await ask([one], 1)).result).toEqual({ kind: 'verified', payments: [payment] })
  })
})
