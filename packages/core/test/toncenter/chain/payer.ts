import { external, type Address, type MessageRelaxed } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { type Chain, MessageRejectedError, messageCell } from '@tonplug/simulator'

/** A wallet that pays by messages from outside, one after the other. */
export interface Payer {
  address: Address
  /** Sends messages in one. What the wallet does not accept, for a lack of money, is not sent. */
  pay(chain: Chain, messages: MessageRelaxed[], sendMode: number): Promise<void>
}

/** A wallet of version 3, 4 or 5. @param seed another number, another wallet */
export function createPayer(version: 3 | 4 | 5, seed: number): Payer {
  const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, seed))
  const common = { workchain: 0, publicKey }
  const wallet = {
    3: () => WalletContractV3R2.create(common),
    4: () => WalletContractV4.create(common),
    5: () => WalletContractV5R1.create({ publicKey }),
  }[version]()
  const { address, init } = wallet
  return {
    address,
    async pay(chain, messages, sendMode) {
      const isNew = (await chain.account(address)).status !== 'active'
      // The wrappers are alike in what is used of them here.
      const opened = chain.blockchain.openContract(wallet as WalletContractV4)
      const seqno = isNew ? 0 : await opened.getSeqno()
      const timeout = chain.now + 600
      const body = opened.createTransfer({ seqno, secretKey, sendMode, timeout, messages })
      try {
        await chain.send(messageCell(external({ to: address, body, ...(isNew && { init }) })))
      } catch (error) {
        if (!(error instanceof MessageRejectedError)) throw error
      }
    },
  }
}
