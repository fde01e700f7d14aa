import { beginCell, internal, toNano, type Address, type Cell } from '@ton/core'
import type { ShownCredit } from '@tonplug/core/proof'
import { walletV4, type RecordedTransaction } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { canonicalAddress } from '../../../src/shared/address.js'
import { createPayer } from './payer.js'
import { shownOf, startSigned } from './signed-shop.js'
import { ours } from './two-sources.js'

const AMOUNT = 250_000n
const OPS = { internalTransfer: 0x178d4519, transferNotification: 0x7362d09c }

/** Returns a body of TEP-74 with an amount of jettons and the account that they are said to be from. */
function jettonBody(op: keyof typeof OPS, from: Address): Cell {
  const head = beginCell().storeUint(OPS[op], 32).storeUint(0, 64).storeCoins(AMOUNT)
  const body = head.storeAddress(from)
  if (op === 'internalTransfer') body.storeAddress(from).storeCoins(1)
  return body.storeMaybeRef(null).endCell()
}

/** Starts a shop with a jetton wallet, and a stranger that sends messages to it. Its own wallet is a contract, too. */
async function startStranger() {
  const { jetton, ...shop } = await startSigned()
  const { chain } = shop
  const stranger = await createPayer(chain, 97)
  const owner = await createPayer(chain, 90)
  await owner.pay({ reference: 'deployment', to: stranger.address, value: 1n })
  const wallet = await jetton.walletOf(ours)
  /** Returns the last transaction of an account as a credit of the jetton. */
  const shownAs = (account: Address, changed: Partial<ShownCredit> = {}): ShownCredit => ({
    ...shownOf(lastOf(account)),
    wallet: ours.toRawString(),
    asset: canonicalAddress(jetton.master),
    rawAmount: AMOUNT,
    ...changed,
  })
  const lastOf = (account: Address): RecordedTransaction => chain.index.ofAccount(account).at(-1)!
  const send = (to: Address, body: Cell, { bounce = true } = {}) =>
    stranger.send([internal({ to, value: toNano(1), bounce, body })])
  return { ...shop, owner, wallet, stranger, shownAs, lastOf, send }
}

describe('S148 signedBlocks', () => {
  it('confirms a transfer that the jetton wallet of the shop has accepted', async () => {
    const { open, wallet, shownAs } = await startStranger()
    expect(await open().compare(shownAs(wallet), {})).toEqual({ kind: 'confirmed' })
  })

  it.each([true, false])(
    'contradicts jettons that the wallet of the shop has not accepted, in a message with bounce: %s',
    async (bounce) => {
      const { open, wallet, stranger, shownAs, lastOf, send } = await startStranger()
      await send(wallet, jettonBody('internalTransfer', stranger.address), { bounce })
      const { description } = lastOf(wallet).transaction
      expect(description).toMatchObject({ type: 'generic', aborted: true })
      expect(await open().compare(shownAs(wallet), {})).toEqual({
        kind: 'differs',
        detail: 'the jetton wallet did not accept the transfer',
      })
    },
  )

  it('contradicts a notification that no jetton wallet has sent', async () => {
    const { open, wallet, stranger, shownAs, send } = await startStranger()
    await send(ours, jettonBody('transferNotification', stranger.address))
    expect(await open().compare(shownAs(ours), {})).toEqual({
      kind: 'differs',
      detail: 'expected internal_transfer; its tag is 7362d09c',
    })
    const credited = shownAs(ours, { account: wallet.toRawString() })
    expect(await open().compare(credited, {})).toEqual({
      kind: 'differs',
      detail: `the money went to ${ours.toRawString()}`,
    })
  })

  it('contradicts jettons that another contract with the same message was sent', async () => {
    const { open, stranger, shownAs, send } = await startStranger()
    await send(ours, jettonBody('internalTransfer', stranger.address))
    expect(await open().compare(shownAs(ours), {})).toMatchObject({
      kind: 'differs',
      detail: expect.stringMatching(/does not have the code of the jetton's wallets$/),
    })
  })
})

describe('S141 signedBlocks', () => {
  it('contradicts an index that shows the shop its own returned message as a payment', async () => {
    const { owner, open, lastOf } = await startStranger()
    const to = walletV4(96).wallet.address
    await owner.pay({ reference: 'refund', to, value: toNano(3), bounce: true })
    const claim = shownOf(lastOf(ours))
    expect(lastOf(ours).transaction.inMessage?.info).toMatchObject({ bounced: true })
    expect(await open().compare(claim, {})).toMatchObject({
      kind: 'differs',
      detail: expect.stringMatching(/^isBounced of the transaction .* is true in its cell/),
    })
  })
})
