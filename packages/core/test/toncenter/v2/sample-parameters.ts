import type { V2EndpointName, V2Parameters } from '../../../src/toncenter/v2/endpoint-types.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const boc = 'te6cckEBAQEAAgAAAEysuc0='
const shard = '-9223372036854775808'
const block = { workchain: -1, shard, seqno: 39_984_096 }
const page = {
  ...block,
  root_hash: hash,
  file_hash: hash,
  after_lt: 1n,
  after_hash: address,
  count: 40,
}
const message = { source: address, destination: address, created_lt: 48_756_545_000_001n }
const history = { address, limit: 10, lt: 48_756_545_000_001n, hash, to_lt: 0n, archival: true }
const account = { address, seqno: 39_984_096 }

/** Parameters for every endpoint: all that it knows, so far as they go together. */
export const sampleParameters: { [Name in V2EndpointName]: V2Parameters<Name> } = {
  getAddressInformation: account,
  getExtendedAddressInformation: account,
  getWalletInformation: account,
  getAddressBalance: account,
  getAddressState: account,
  getTokenData: account,
  getShardAccountCell: account,
  dnsResolve: { ...account, name: 'example', category: 'wallet', ttl: 3 },
  getMasterchainInfo: {},
  getMasterchainBlockSignatures: { seqno: 1 },
  getShardBlockProof: { ...block, from_seqno: 39_984_100 },
  getConsensusBlock: {},
  lookupBlock: { workchain: -1, shard, lt: 48_756_545_000_001n },
  getShards: { seqno: 1 },
  shards: { seqno: 1 },
  getBlockHeader: { ...block, root_hash: hash, file_hash: hash },
  getOutMsgQueueSize: {},
  getBlockTransactions: page,
  getBlockTransactionsExt: page,
  getTransactions: history,
  getTransactionsStd: history,
  tryLocateTx: message,
  tryLocateResultTx: message,
  tryLocateSourceTx: message,
  sendBoc: { boc },
  sendBocReturnHash: { boc },
  sendBocReturnHashNoError: { boc },
  estimateFee: { address, body: boc, init_code: boc, init_data: boc, ignore_chksig: false },
  runGetMethod: {
    address,
    method: 'seqno',
    stack: [{ type: 'number', value: 1n }],
    seqno: 39_984_096,
  },
  runGetMethodStd: { address, method: 85_143, stack: [], seqno: 39_984_096 },
  detectAddress: { address },
  detectHash: { hash },
  packAddress: { address },
  unpackAddress: { address },
  getConfigParam: { config_id: 34, seqno: 39_984_096 },
  getConfigAll: { seqno: 39_984_096 },
  getLibraries: { libraries: [hash, hash] },
  jsonRPC: { method: 'getMasterchainInfo', params: {}, id: '7', jsonrpc: '2.0' },
}
