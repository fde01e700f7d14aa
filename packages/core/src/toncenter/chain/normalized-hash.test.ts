import {
  Address,
  beginCell,
  external,
  ExternalAddress,
  internal,
  storeMessage,
  storeMessageRelaxed,
  type Cell,
  type StateInit,
} from '@ton/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizedHash, receiverOf } from './normalized-hash.js'

const body = beginCell().storeUint(7, 32).storeRef(beginCell().storeUint(1, 5).endCell()).endCell()
const code = beginCell().storeUint(1, 9).endCell()
const init: StateInit = { code, data: beginCell().storeUint(2, 10).endCell() }

/** TEP-467 in the words of @ton/core. */
function expected(to: Address, content: Cell): string {
  const info = beginCell().storeUint(0b10, 2).storeUint(0, 2).storeAddress(to).storeCoins(0)
  const normal = info.storeBit(false).storeBit(true).storeRef(content).endCell()
  return normal.hash().toString('base64')
}

const addresses = fc
  .record({
    workchain: fc.constantFrom(0, -1, 1),
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })
  .map(({ workchain, hash }) => new Address(workchain, Buffer.from(hash)))

describe('normalizedHash', () => {
  it('is the same whatever source, fee, state and place of the body the message has', async () => {
    await fc.assert(
      fc.asyncProperty(
        addresses,
        fc.option(fc.bigInt({ min: 0n, max: 255n }), { nil: null }),
        fc.bigInt({ min: 0n, max: 2n ** 60n }),
        fc.constantFrom(undefined, init, {
          ...init,
          splitDepth: 3,
          special: { tick: true, tock: false },
        }),
        fc.record({ forceRef: fc.boolean(), bodyRef: fc.boolean() }),
        async (to, from, fee, state, { forceRef, bodyRef }) => {
          const src = from === null ? null : new ExternalAddress(from, 8)
          // Written by hand, since the message builder of @ton/core chooses the places itself.
          const builder = beginCell()
            .storeUint(0b10, 2)
            .storeAddress(src)
            .storeAddress(to)
            .storeCoins(fee)
          builder.storeBit(state !== undefined)
          if (state !== undefined) {
            builder.storeBit(forceRef)
            const written = beginCell().storeBit(state.splitDepth !== undefined)
            if (typeof state.splitDepth === 'number') written.storeUint(state.splitDepth, 5)
            written.storeBit(state.special !== undefined)
            if (state.special !== undefined) written.storeBit(true).storeBit(false)
            written.storeMaybeRef(state.code).storeMaybeRef(state.data).storeBit(false)
            if (forceRef) builder.storeRef(written.endCell())
            else builder.storeBuilder(written)
          }
          builder.storeBit(bodyRef)
          if (bodyRef) builder.storeRef(body)
          else builder.storeSlice(body.beginParse())
          expect(await normalizedHash(builder.endCell().toBoc())).toBe(expected(to, body))
          const own = beginCell()
            .store(
              storeMessage(
                external(state === undefined ? { to, body } : { to, body, init: state }),
              ),
            )
            .endCell()
          expect(await normalizedHash(own)).toBe(expected(to, body))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('takes base64, base64url, bytes and cells', async () => {
    const to = new Address(0, Buffer.alloc(32, 9))
    const cell = beginCell()
      .store(storeMessage(external({ to, body })))
      .endCell()
    const base64 = cell.toBoc().toString('base64')
    const url = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    for (const boc of [cell, cell.toBoc(), base64, url]) {
      expect(await normalizedHash(boc)).toBe(expected(to, body))
    }
  })

  it.each([
    [
      'an internal message',
      beginCell()
        .store(storeMessageRelaxed(internal({ to: new Address(0, Buffer.alloc(32)), value: 1n })))
        .endCell()
        .toBoc(),
    ],
    ['a body alone', body.toBoc()],
    ['an empty cell', beginCell().endCell().toBoc()],
    ['bytes that are cut', body.toBoc().subarray(0, 20)],
    [
      'a message that ends too early',
      beginCell().storeUint(0b10, 2).storeUint(0, 2).storeUint(0b100, 3).endCell().toBoc(),
    ],
    ['a text', 'no bag of cells'],
    ['a hash', Buffer.alloc(32)],
  ])('refuses %s', async (_, boc) => {
    await expect(normalizedHash(boc)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVALID_PARAMS',
      message: expect.stringMatching(/^message: boc (?:must be)/),
    })
  })
})

describe('receiverOf', () => {
  it('is the account in raw form, of any workchain', () => {
    fc.assert(
      fc.property(addresses, (to) => {
        const message = beginCell()
          .store(storeMessage(external({ to, body })))
          .endCell()
        expect(receiverOf(message.toBoc())).toBe(to.toRawString())
      }),
    )
  })
})
