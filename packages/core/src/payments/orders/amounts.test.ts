import { describe, expect, it } from 'vitest'
import { addsUp, describeAmounts, isAccepted, type AmountsPolicy } from './amounts.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const OTHER = `0:${'1'.repeat(64)}`
const offer = { rawAmount: 100n, asset: 'TON' }

describe('isAccepted', () => {
  it.each<[string, AmountsPolicy, bigint, boolean]>([
    ['the exact amount', {}, 100n, true],
    ['less', {}, 99n, false],
    ['more', {}, 101n, false],
    ['more where that is accepted', { overpaid: 'accept' }, 101n, true],
    ['more where parts add up', { partial: 'add-up' }, 101n, true],
    [
      'more where parts add up, and that is refused',
      { partial: 'add-up', overpaid: 'mismatch' },
      101n,
      false,
    ],
    ['less by the tolerance', { tolerance: { TON: 1n } }, 99n, true],
    ['less by more than the tolerance', { tolerance: { TON: 1n } }, 98n, false],
    ['less by the tolerance of another asset', { tolerance: { [USDT]: 1n } }, 99n, false],
    ['nothing within a tolerance of everything', { tolerance: { TON: 100n } }, 0n, false],
  ])('decides about %s', (_, policy, received, expected) => {
    expect(isAccepted(policy, offer, received)).toBe(expected)
  })
})

describe('addsUp', () => {
  it.each([
    [undefined, false],
    [{}, false],
    [{ partial: 'mismatch' as const }, false],
    [{ partial: 'add-up' as const }, true],
    [() => true, false],
  ])('returns whether parts of a price count together (%#)', (amounts, expected) => {
    expect(addsUp(amounts)).toBe(expected)
  })
})

describe('describeAmounts', () => {
  it('describes equal policies equally, in any order of assets and with defaults', () => {
    const one = { partial: 'add-up' as const, tolerance: { TON: 1n, [OTHER]: 3n, [USDT]: 2n } }
    const other = {
      ...one,
      overpaid: 'accept' as const,
      tolerance: { [USDT]: 2n, [OTHER]: 3n, TON: 1n },
    }
    expect(describeAmounts(one)).toEqual(describeAmounts(other))
    expect(describeAmounts(one)).toEqual({
      partial: 'add-up',
      overpaid: 'accept',
      tolerance: [
        [OTHER, '3'],
        [USDT, '2'],
        ['TON', '1'],
      ],
    })
  })

  it('describes a rule by its name, and the default by null', () => {
    expect(
      describeAmounts(function atLeastHalf() {
        return true
      }),
    ).toBe('atLeastHalf')
    expect(describeAmounts(undefined)).toBeNull()
  })
})
