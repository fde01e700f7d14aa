import { Address as Oracle } from '@ton/core'
import { below, createRandom } from '@tonplug/test-support/random'
import { describe, expect, it } from 'vitest'
import {
  AddressError,
  addressFlags,
  canonicalAddress,
  friendlyAddress,
  parseAddress,
} from './address.js'

const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const USDT_RAW = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

/** Every format that the reference implementation can write. */
function spellings(address: Oracle): string[] {
  const friendly = [true, false].flatMap((urlSafe) =>
    [true, false].flatMap((bounceable) =>
      [true, false].map((testOnly) => address.toString({ urlSafe, bounceable, testOnly })),
    ),
  )
  const raw = address.toRawString()
  return [...friendly, raw, raw.toUpperCase()]
}

function randomAddresses(count: number): Oracle[] {
  const random = createRandom(7)
  return Array.from({ length: count }, (_, index) => {
    const hash = Buffer.from(Array.from({ length: 32 }, () => below(random, 256)))
    return new Oracle([0, -1, 5, -128, 127][index % 5] ?? 0, hash)
  })
}

describe('parseAddress', () => {
  it('S33 reads every format that @ton/core writes to one account', () => {
    for (const address of randomAddresses(300)) {
      const canonical = spellings(address).map(canonicalAddress)
      expect(new Set(canonical)).toEqual(new Set([address.toRawString()]))
    }
  })

  it('knows a real jetton master in each format', () => {
    expect(canonicalAddress(USDT)).toBe(USDT_RAW)
    expect(canonicalAddress(USDT.replaceAll('_', '/').replaceAll('-', '+'))).toBe(USDT_RAW)
    expect(parseAddress(USDT)).toEqual({ workchain: 0, hash: USDT_RAW.slice(2) })
  })

  it('rejects a friendly address with any one character changed, as @ton/core does', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let index = 0; index < USDT.length; index++) {
      for (const character of alphabet) {
        if (character === USDT[index]) continue
        const changed = USDT.slice(0, index) + character + USDT.slice(index + 1)
        expect(() => Oracle.parse(changed)).toThrow(/./)
        expect(() => parseAddress(changed)).toThrow(AddressError)
      }
    }
  })

  it('says that a checksum is wrong', () => {
    expect(() => parseAddress(`${USDT.slice(0, 47)}A`)).toThrow(/checksum is wrong/)
  })

  it('rejects an invalid first byte', () => {
    expect(() => parseAddress(`Ig${USDT.slice(2)}`)).toThrow(/its first byte is invalid/)
  })

  it.each([
    ['nothing', ''],
    ['a ticker', 'USDT'],
    ['47 characters', USDT.slice(1)],
    ['49 characters', `${USDT}A`],
    ['padding', `${USDT.slice(0, 46)}==`],
    ['a space in front', ` ${USDT}`],
    ['a newline behind', `${USDT}\n`],
    ['63 hex digits', USDT_RAW.slice(0, -1)],
    ['65 hex digits', `${USDT_RAW}0`],
    ['no workchain', USDT_RAW.slice(1)],
    ['a workchain beyond 32 bits', `2147483648:${USDT_RAW.slice(2)}`],
    ['a workchain with a leading zero', `00:${USDT_RAW.slice(2)}`],
    ['minus zero', `-0:${USDT_RAW.slice(2)}`],
  ])('rejects %s', (_, text) => {
    expect(() => parseAddress(text)).toThrow(AddressError)
  })

  it('tells workchains and hashes apart', () => {
    const hash = USDT_RAW.slice(2)
    expect(canonicalAddress(`-1:${hash}`)).not.toBe(canonicalAddress(`0:${hash}`))
  })
})

describe('friendlyAddress', () => {
  const flags = [true, false].flatMap((isBounceable) =>
    [true, false].map((isTestOnly) => ({ isBounceable, isTestOnly })),
  )

  it.each(flags)(
    'writes %o as the reference implementation does',
    ({ isBounceable, isTestOnly }) => {
      for (const address of [...randomAddresses(20), Oracle.parse(`-1:${'f'.repeat(64)}`)]) {
        const expected = address.toString({ bounceable: isBounceable, testOnly: isTestOnly })
        const friendly = friendlyAddress(address.toRawString(), { isBounceable, isTestOnly })
        expect(friendly).toBe(expected)
        expect(addressFlags(friendly)).toEqual({ isBounceable, isTestOnly })
        expect(canonicalAddress(friendly)).toBe(address.toRawString())
      }
    },
  )

  it('rejects a workchain that the format cannot hold', () => {
    const address = `128:${USDT_RAW.slice(2)}`
    expect(() => friendlyAddress(address, { isBounceable: true, isTestOnly: false })).toThrow(
      /its workchain has no friendly format/,
    )
  })

  it('has no flags for a raw address', () => {
    expect(addressFlags(USDT_RAW)).toBeUndefined()
  })
})
