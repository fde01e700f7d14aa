import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { DOCUMENTED_OPERATIONS } from './documented-operations.js'

/** The official description, where it is at hand beside the repository. */
const FILE = new URL('../../../../../shared/api/v3.openapi.yaml', import.meta.url)

/** One operation of the description: its path below `/api/v3`, and its parameters, those of a JSON body included. */
export interface Operation {
  path: string
  method: 'GET' | 'POST'
  parameters: string[]
  required: string[]
}

/** As much of an OpenAPI document as is read. */
export interface Description {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, { properties?: object }> }
}

interface DescribedOperation {
  parameters?: { name: string; required?: boolean }[]
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } }
}

/** Whether the description is at hand. */
export const hasDescription = existsSync(FILE)

/** The description, mended: two of its references name schemas with a prefix that the schemas do not have. */
export function readDescription(): Description {
  const text = readFileSync(FILE, 'utf8').replaceAll(
    '#/components/schemas/index.',
    '#/components/schemas/',
  )
  return parse(text) as Description
}

/** Every operation of the description, or of the list in the repository where it is not at hand. */
export function readOperations(): Operation[] {
  if (!hasDescription) return DOCUMENTED_OPERATIONS
  const { paths, components } = readDescription()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]): Operation => {
      const schema = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? ''
      return {
        path: path.replace('/api/v3', ''),
        method: method === 'post' ? 'POST' : 'GET',
        parameters: [
          ...parameters.map(({ name }) => name),
          ...Object.keys(components.schemas[schema]?.properties ?? {}),
        ],
        required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
      }
    }),
  )
}

/** The method of the client for a path: `/jetton/transfers` is `jettonTransfers`. */
export function methodOf(path: string): string {
  return path.slice(1).replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The paths of the data API description, part 4. */
export const SEED_PATHS = [
  '/accountStates',
  '/addressBook',
  '/metadata',
  '/walletStates',
  '/actions',
  '/pendingActions',
  '/pendingTraces',
  '/traces',
  '/adjacentTransactions',
  '/blocks',
  '/masterchainBlockShardState',
  '/masterchainBlockShards',
  '/masterchainInfo',
  '/messages',
  '/pendingTransactions',
  '/transactions',
  '/transactionsByMasterchainBlock',
  '/transactionsByMessage',
  '/jetton/burns',
  '/jetton/masters',
  '/jetton/transfers',
  '/jetton/wallets',
  '/nft/collections',
  '/nft/items',
  '/nft/transfers',
  '/dns/records',
  '/multisig/orders',
  '/multisig/wallets',
  '/vesting',
  '/topAccountsByBalance',
  '/decode',
  '/addressInformation',
  '/estimateFee',
  '/message',
  '/runGetMethod',
  '/walletInformation',
]

/** Paths that the server has although neither description has them. Source: API facts, part 2.2. */
export const UNDOCUMENTED_PATHS = [
  '/nft/sales',
  '/balanceChanges',
  '/events',
  '/account',
  '/wallet',
]
