import { ConfigurationError } from '../errors/configuration.js'

const NETWORKS = {
  mainnet: 'https://toncenter.com',
  testnet: 'https://testnet.toncenter.com',
} as const

/** A network that TON Center serves. */
export type Network = keyof typeof NETWORKS

/** What stands below `/api/` of a server: the data APIs, or that of a payment gateway. */
export type Api = 'v2' | 'v3' | 'merchant/v1'

/** The JSON-RPC entrance of API v2 stands beside its other paths, so its address tells where they are. */
const ENTRANCE = /\/jsonRPC$/

/**
 * The roots of the servers, without a trailing slash, in the order of preference. One that ends in `/jsonRPC` has API v2
 * elsewhere than below `/api/v2`.
 * Source: API facts, part 1 (hosts).
 * @throws {ConfigurationError} when none is given, or one is no plain http address.
 */
export function serverRoots(options: {
  network?: Network | undefined
  baseUrl?: string | readonly string[] | undefined
}): readonly string[] {
  const { network, baseUrl } = options
  if (baseUrl === undefined) return [networkRoot(network ?? 'mainnet')]
  if (network !== undefined) refuse('give either network or baseUrl')
  const given = typeof baseUrl === 'string' ? [baseUrl] : baseUrl
  if (given.length === 0) refuse('is empty')
  return [...new Set(given.map(serverRoot))]
}

function networkRoot(network: Network): string {
  // A caller without types may give any text.
  const root: string | undefined = Object.hasOwn(NETWORKS, network) ? NETWORKS[network] : undefined
  if (root !== undefined) return root
  throw new ConfigurationError({ option: 'network', problem: "is not 'mainnet' or 'testnet'" })
}

// What it was given is not quoted: addresses may hold credentials.
function serverRoot(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : refuse('is not an address')
  if (!/^https?:$/.test(url.protocol)) refuse('is not an http address')
  if (url.username + url.password !== '') refuse('holds credentials; use apiKey')
  if (url.search + url.hash !== '') refuse('has a query or a fragment; use apiKey')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/(?:v2(?:\/jsonRPC)?|v3)$/, '')
  return `${url.origin}${path}`
}

function refuse(problem: string): never {
  throw new ConfigurationError({ option: 'baseUrl', problem })
}

/** The whole address of a call. */
export function callUrl(
  root: string,
  call: {
    api: Api
    path: string
    query?: readonly (readonly [name: string, value: string])[] | undefined
  },
): string {
  // It only reads the pairs, which its type does not say.
  const query = new URLSearchParams(call.query as [string, string][] | undefined).toString()
  return `${apiRoot(root, call.api)}${call.path}${query === '' ? '' : `?${query}`}`
}

function apiRoot(root: string, api: Api): string {
  const above = root.replace(ENTRANCE, '')
  return above !== root && api === 'v2' ? above : `${above}/api/${api}`
}
