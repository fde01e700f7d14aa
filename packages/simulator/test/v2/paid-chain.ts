import { comment, internal, toNano, type Cell } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import type { V2EndpointName, V2Parameters } from '@tonplug/core/toncenter'
import { createChainSimulator, type ChainSimulatorOptions } from '@tonplug/simulator'

/** Starts a chain with a payment in coins and one in jettons. The caller must close it. */
export async function startPaidChain(options?: ChainSimulatorOptions) {
  const chain = await createChainSimulator(options)
  const from = await chain.createWallet({ version: 'v4' })
  const to = await chain.createWallet({ balance: 0n })
  const usdt = await chain.deployJetton()
  await usdt.mint(from.address, 12_000_000n)
  const native = await from.send([
    internal({ to: to.address, value: toNano(1), bounce: false, body: comment('Order 17') }),
  ])
  const transfer = { amount: 2_500_000n, to: to.address, response: from.address, forwardCoins: 1n }
  const jetton = await from.send([usdt.transferMessage({ from: from.address, ...transfer })])
  return { chain, from, to, usdt, native, jetton }
}

/** A chain with payments. */
export type PaidChain = Awaited<ReturnType<typeof startPaidChain>>

/** Returns parameters for every path that the chain supports. */
export async function parametersFor({
  chain,
  from,
  to,
  usdt,
  native,
}: PaidChain): Promise<{ [Name in V2EndpointName]: V2Parameters<Name> }> {
  const shard = '-9223372036854775808'
  const { seqno } = native
  const block = { workchain: 0, shard, seqno }
  const account = { address: from.address }
  const info = [...native.transaction.outMessages.values()][0]!.info
  const created_lt = info.type === 'internal' ? info.createdLt : 0n
  const message = { source: from.address, destination: to.address, created_lt }
  const hash = native.transaction.hash().toString('base64')
  const signed = async () => {
    const boc = await from.sign([internal({ to: to.address, value: 1n, bounce: false })])
    return { boc: boc.toBoc().toString('base64') }
  }
  const fresh = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 9) })
  await chain.fund(fresh.address, toNano(1))
  const body = fresh.createTransfer({
    seqno: 0,
    secretKey: Buffer.alloc(64),
    messages: [internal({ to: to.address, value: 1n, bounce: false })],
  })
  const boc = (cell: Cell) => cell.toBoc().toString('base64')
  return {
    getAddressInformation: account,
    getExtendedAddressInformation: account,
    getWalletInformation: account,
    getAddressBalance: account,
    getAddressState: account,
    getTokenData: { address: usdt.master },
    getShardAccountCell: account,
    dnsResolve: { ...account, name: 'example', category: 'wallet', ttl: 3 },
    getMasterchainInfo: {},
    getMasterchainBlockSignatures: { seqno },
    getShardBlockProof: block,
    getConsensusBlock: {},
    lookupBlock: { workchain: -1, shard, lt: native.transaction.lt },
    getShards: { seqno },
    shards: { seqno },
    getBlockHeader: block,
    getOutMsgQueueSize: {},
    getBlockTransactions: block,
    getBlockTransactionsExt: block,
    getTransactions: account,
    getTransactionsStd: account,
    tryLocateTx: message,
    tryLocateResultTx: message,
    tryLocateSourceTx: message,
    sendBoc: await signed(),
    sendBocReturnHash: await signed(),
    sendBocReturnHashNoError: await signed(),
    estimateFee: {
      address: fresh.address,
      body: boc(body),
      init_code: boc(fresh.init.code),
      init_data: boc(fresh.init.data),
    },
    runGetMethod: { address: usdt.master, method: 'get_jetton_data', stack: [] },
    runGetMethodStd: { address: usdt.master, method: 'get_jetton_data', stack: [] },
    detectAddress: account,
    detectHash: { hash },
    packAddress: account,
    unpackAddress: account,
    getConfigParam: { config_id: 21 },
    getConfigAll: {},
    getLibraries: { libraries: [hash] },
    jsonRPC: { method: 'getMasterchainInfo', params: {} },
  }
}
