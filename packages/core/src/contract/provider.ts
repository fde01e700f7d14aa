import {
  beginCell,
  comment,
  external,
  openContract,
  storeMessage,
  toNano,
  TupleReader,
  type Address,
  type Cell,
  type ContractProvider,
  type StateInit,
} from '@ton/core'
import type { ContractSource } from './contract-source.js'
import { toTupleItems } from './stack.js'

// The default of the providers of `@ton/ton`.
const USUAL_LIMIT = 100

/** The code and data that a contract is deployed with. */
export type ContractInit = Pick<StateInit, 'code' | 'data'>

/** Creates a provider for one contract; messages carry `init` until the contract is active. */
export function createProvider(
  source: ContractSource,
  address: Address,
  init: ContractInit | null,
): ContractProvider {
  async function neededInit(): Promise<ContractInit | null> {
    return init === null || (await source.isActive(address)) ? null : init
  }

  return {
    getState: () => source.getState(address),
    async get(method, args) {
      const { stack, gas_used: gasUsed } = await source.runGetMethod(address, method, args)
      return { stack: new TupleReader(toTupleItems(stack)), gasUsed: BigInt(gasUsed) }
    },
    async external(body) {
      const message = external({ to: address, init: await neededInit(), body })
      await source.send(beginCell().store(storeMessage(message)).endCell().toBoc())
    },
    async internal(via, { value, body, bounce, sendMode, extracurrency }) {
      await via.send({
        to: address,
        value: typeof value === 'string' ? toNano(value) : value,
        bounce: bounce ?? true,
        body: readBody(body),
        init: await neededInit(),
        ...(sendMode !== undefined && { sendMode }),
        ...(extracurrency !== undefined && { extracurrency }),
      })
    },
    open: (contract) =>
      openContract(contract, (args) => createProvider(source, args.address, args.init)),
    getTransactions: (account, lt, hash, limit = USUAL_LIMIT) =>
      source.getTransactions({ address: account, lt, hash, limit }),
  }
}

/** Converts a string, even an empty one, to a comment, like the providers of `@ton/ton`. */
function readBody(body: Cell | string | null | undefined): Cell | null {
  return typeof body === 'string' ? comment(body) : (body ?? null)
}
