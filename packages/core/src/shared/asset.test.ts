import { describe, expect, it } from 'vitest'
import { AddressError } from './address.js'
import { canonicalAsset } from './asset.js'

const MASTER = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

describe('canonicalAsset', () => {
  it.each([
    ['TON', 'TON'],
    ['GRAM', 'TON'],
    [MASTER, MASTER],
    ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', MASTER],
  ])('reads %s as %s', (asset, canonical) => {
    expect(canonicalAsset(asset)).toBe(canonical)
  })

  it.each(['ton', 'gram', 'Gram', 'USDT', ''])('rejects the ticker %j', (asset) => {
    expect(() => canonicalAsset(asset)).toThrow(AddressError)
  })
})
