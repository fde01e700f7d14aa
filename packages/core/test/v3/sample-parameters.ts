import type { V3EndpointName } from '../../src/toncenter/v3/endpoints/table.js'
import type { V3Parameters } from '../../src/toncenter/v3/client.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const hex = '6f6ebf3f0f01633e9563b472601ff0d8d7fca4a05e6ec83e1f8ad3d691f96443'
const boc = 'te6cckEBAQEAAgAAAEysuc0='

const page = { limit: 50, offset: 10 }
const sorted = { ...page, sort: 'asc' } as const
const inTime = {
  start_utime: 1_700_000_000,
  end_utime: new Date(1_800_000_000_000),
  start_lt: 1n,
  end_lt: 93_307_000_000_009n,
}
const ofBlock = { workchain: 0, shard: 'A000000000000000', seqno: 87_315_937 }

/** Parameters for every endpoint: all that it knows, so far as they go together. */
export const sampleParameters: { [Name in V3EndpointName]: V3Parameters<Name> } = {
  accountStates: { address: [address, raw], include_boc: false },
  addressBook: { address: [address, raw] },
  metadata: { address: [address, raw] },
  walletStates: { address },
  adjacentTransactions: { hash, direction: 'in' },
  blocks: { ...ofBlock, root_hash: hash, file_hash: hex, mc_seqno: 1, ...inTime, ...sorted },
  masterchainBlockShardState: { seqno: 51_317_643 },
  masterchainBlockShards: { seqno: 51_317_643, ...page },
  masterchainInfo: {},
  messages: {
    msg_hash: [hash, hex],
    body_hash: hash,
    source: 'null',
    destination: address,
    opcode: 0x0f8a7ea5,
    ...inTime,
    direction: 'out',
    exclude_externals: false,
    only_externals: true,
    ...sorted,
  },
  pendingTransactions: { account: [address, raw], trace_id: [hash, hex] },
  transactions: {
    ...ofBlock,
    mc_seqno: 82_744_100,
    account: [address, raw],
    exclude_account: [raw, address],
    hash,
    lt: 93_307_000_000_009n,
    ...inTime,
    ...sorted,
  },
  transactionsByMasterchainBlock: { seqno: 82_744_100, ...sorted },
  transactionsByMessage: {
    msg_hash: hash,
    body_hash: hex,
    opcode: '0xf8a7ea5',
    direction: 'in',
    ...page,
  },
  actions: {
    account: address,
    tx_hash: [hash, hex],
    msg_hash: [hash, hex],
    action_id: [hash, hex],
    trace_id: [hash, hex],
    mc_seqno: 82_744_100,
    ...inTime,
    action_type: ['jetton_transfer', 'ton_transfer'],
    exclude_action_type: ['call_contract', 'tick_tock'],
    supported_action_types: ['latest', 'extra_currency_transfer'],
    include_accounts: true,
    include_transactions: true,
    ...sorted,
  },
  pendingActions: {
    account: address,
    ext_msg_hash: [hash, hex],
    supported_action_types: ['latest'],
    include_transactions: true,
  },
  pendingTraces: { account: address, ext_msg_hash: [hash, hex] },
  traces: {
    account: address,
    mc_seqno: 82_744_100,
    ...inTime,
    include_actions: true,
    supported_action_types: ['v1', 'v2'],
    ...sorted,
  },
  events: { msg_hash: hash },
  balanceChanges: { trace_id: hash },
  jettonBurns: {
    address: [address, raw],
    jetton_wallet: [address, raw],
    jetton_master: address,
    ...inTime,
    ...sorted,
  },
  jettonMasters: { address: [address, raw], admin_address: [address, raw], ...page },
  jettonTransfers: {
    owner_address: [address, raw],
    jetton_wallet: [address, raw],
    jetton_master: address,
    direction: 'in',
    ...inTime,
    ...sorted,
  },
  jettonWallets: {
    address: [address, raw],
    owner_address: [address],
    jetton_address: [address, raw],
    exclude_zero_balance: true,
    ...sorted,
  },
  nftCollections: { collection_address: [address, raw], owner_address: [address, raw], ...page },
  nftItems: {
    address: [address, raw],
    owner_address: [address, raw],
    collection_address: [address, raw],
    index: [0, 2n ** 255n],
    include_on_sale: true,
    sort_by_last_transaction_lt: true,
    ...page,
  },
  nftTransfers: {
    owner_address: [address, raw],
    item_address: [address, raw],
    collection_address: raw,
    direction: 'out',
    ...inTime,
    ...sorted,
  },
  nftSales: { address: [address, raw] },
  dnsRecords: { wallet: address, domain: 'example.ton', ...page },
  multisigOrders: {
    address: [address, raw],
    multisig_address: [address, raw],
    parse_actions: true,
    ...sorted,
  },
  multisigWallets: {
    address: [address, raw],
    wallet_address: [address, raw],
    ...sorted,
    include_orders: false,
  },
  vesting: { wallet_address: [address, raw], check_whitelist: true, ...page },
  topAccountsByBalance: page,
  decode: { opcodes: [0x0f8a7ea5, '0x178d4519'], bodies: [boc, boc] },
  addressInformation: { address, use_v2: false },
  account: { address, use_v2: true },
  estimateFee: { address, body: boc, init_code: boc, init_data: '', ignore_chksig: true },
  message: { boc },
  runGetMethod: {
    address,
    method: 'get_nft_address_by_index',
    stack: [
      { type: 'number', value: -7n },
      { type: 'cell', boc },
      { type: 'slice', boc },
    ],
  },
  walletInformation: { address: raw, use_v2: false },
  wallet: { address },
}
