import type { Address } from '@ton/core'
import { LocalBlockchainStorage, type Blockchain, type SmartContract } from '@ton/sandbox'

/** Keeps accounts as the network does: one that never got a message does not exist, where the sandbox has it as uninit. */
export class AccountStore extends LocalBlockchainStorage {
  readonly #known = new Set<string>()

  override async getContract(blockchain: Blockchain, address: Address): Promise<SmartContract> {
    const contract = await super.getContract(blockchain, address)
    const key = address.toRawString()
    if (!this.#known.has(key)) {
      this.#known.add(key)
      contract.account = { account: null, lastTransactionLt: 0n, lastTransactionHash: 0n }
    }
    return contract
  }

  override clearKnownContracts(): void {
    super.clearKnownContracts()
    this.#known.clear()
  }
}
