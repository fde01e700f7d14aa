// What the reference pages of the two APIs do not have in common.
import {
  createV2Client,
  createV3Client,
  v2Endpoints,
  v3Endpoints,
} from '../../packages/core/dist/esm/index.js'
import { v2Results } from '../../packages/core/dist/esm/v2/results.js'
import { v3Results } from '../../packages/core/dist/esm/v3/results.js'
import { action } from '../../packages/core/dist/esm/v3/schemas/action.js'
import { trace } from '../../packages/core/dist/esm/v3/schemas/trace.js'
import { transaction } from '../../packages/core/dist/esm/v3/schemas/transaction.js'

const SOURCES = 'packages/core/src'
const SCHEMAS = new URL('../../packages/core/dist/esm/', import.meta.url)

/** Categories are in the order of the API's description: the file's name, and the title. */
export const APIS = [
  {
    name: 'v2',
    title: 'API v2',
    client: createV2Client(),
    table: v2Endpoints,
    resultOf: ({ name }) => v2Results[name],
    sources: `${SOURCES}/v2/endpoints`,
    schemas: new URL('v2/schemas/', SCHEMAS),
    categories: {
      accounts: 'Accounts',
      blocks: 'Blocks',
      transactions: 'Transactions',
      send: 'Send',
      'run-method': 'Run method',
      utils: 'Utils',
      configuration: 'Configuration',
      rpc: 'RPC',
    },
    /** How the pages and the index say which servers have an endpoint. */
    servers: {
      title: 'Servers',
      long: ({ servers }) => (servers === 'cpp' ? 'C++ only' : 'C++ and Python'),
      short: ({ servers }) => (servers === 'cpp' ? 'C++' : 'both'),
      remark: 'C++ server only.',
    },
    stackArgument: 'StackArgument',
    sampleMethod: 'getTransactions',
    pagingGuide: 'data-apis.md#paging',
    passedOn: 'v2.getBlockHeader(info.last)',
    remarks: [
      'An object with an `@type` or a `contract_type` that is not named passes as it came. Fields that are not named pass too, outside the type.',
    ],
    /** Types that the package exports, with pages of their own. */
    types: [],
  },
  {
    name: 'v3',
    title: 'API v3',
    client: createV3Client(),
    table: v3Endpoints,
    resultOf: ({ path }) => v3Results[path],
    sources: `${SOURCES}/v3/endpoints`,
    schemas: new URL('v3/schemas/', SCHEMAS),
    categories: {
      accounts: 'Accounts',
      'actions-and-traces': 'Actions and traces',
      'blockchain-data': 'Blockchain data',
      jettons: 'Jettons',
      nfts: 'NFTs',
      dns: 'DNS',
      multisig: 'Multisig',
      vesting: 'Vesting',
      stats: 'Stats',
      utils: 'Utils',
      legacy: 'Legacy',
    },
    servers: {
      title: 'Described',
      long: ({ isUndocumented }) =>
        isUndocumented ? 'in no official description; servers have it' : 'officially',
      short: ({ isUndocumented }) => (isUndocumented ? 'no' : 'yes'),
      remark: 'No description has it.',
    },
    stackArgument: 'V3StackArgument',
    sampleMethod: 'transactions',
    pagingGuide: 'paging-and-following.md',
    passedOn: 'v3.blocks(transaction.block_ref)',
    remarks: [
      'An action or a sale with a `type` that is not named passes as it came. Fields that are not named pass too, outside the type.',
      'A `V3StackArgument` is a `StackArgument` that is a number, a cell or a slice.',
      'Addresses in answers are raw, in upper case; so are the keys of `address_book` and `metadata`.',
    ],
    types: [
      {
        name: 'V3Transaction',
        schema: transaction,
        text: "A transaction of API v3. Amounts and fees are nanocoins, `now` is Unix seconds, a tick-tock transaction has no `in_msg`.\n\n`description.aborted` is no verdict about money. A plain transfer to an account without a contract is `aborted: true`, with `compute_ph.skipped`, the reason `no_state` and no `bounce` phase, and its value **has arrived**. How to tell is in the [guide](../../guide/api-v3.md#has-the-money-arrived).\n\nOf accounts whose gas costs nothing, as those of the network's own contracts in tick-tock transactions, the server swaps two fields: `compute_ph.gas_used` is 0, and the gas stands in `compute_ph.gas_fees`. What was charged is in `total_fees`.",
      },
      {
        name: 'V3Action',
        schema: action,
        text: 'What a trace, or a part of it, was meant to do: `type` tells the shape of `details`, which are absent where the server sends them in another shape, as the hook `drift` is told. Amounts are in base units, times are Unix seconds.',
      },
      {
        name: 'V3Trace',
        schema: trace,
        text: 'All that one message from outside caused: a tree of transactions. `transactions` has them by hash. Times are Unix seconds.',
      },
    ],
  },
]
