/** The JSON of an invoice, or of one of its offers, as the server sent it. */
export interface ShownPayment {
  /** ISO 8601. */
  serverTime: string
  /** ISO 8601. */
  expiresAt?: string | undefined
  tonConnect: Omit<ItemsRequest, 'validUntil'>
}

/** A request with items for any wallet, or with messages for one payer. */
export type WalletRequest = ItemsRequest | MessagesRequest

/** A request with items. */
export interface ItemsRequest {
  /** Unix seconds. */
  validUntil: number
  network?: '-239' | '-3' | undefined
  from?: string
  items: { type: 'ton' | 'jetton' }[]
}

/** A request with messages. */
export interface MessagesRequest {
  /** Unix seconds. */
  validUntil: number
  messages: object[]
}

/** A connected wallet, or one that is chosen to connect and pay in one tap. */
export interface ConnectedWallet {
  /** The address of the payer; absent before the wallet is connected. */
  address?: string | undefined
  /** `features` of its device (`DeviceInfo`), or of its entry in the list of wallets. */
  features: readonly unknown[]
}

/** The SDK of TON Connect warns when a request is valid for longer. */
const MOST_SECONDS = 300

/** Returns true when the wallet declares that it builds the items of a request itself. */
export function canBuildItems(
  { features }: ConnectedWallet,
  items: ItemsRequest['items'],
): boolean {
  return features.some((feature) => {
    if (typeof feature !== 'object' || feature === null) return false
    const { name, itemTypes } = feature as { name?: unknown; itemTypes?: unknown }
    return (
      name === 'SendTransaction' &&
      Array.isArray(itemTypes) &&
      items.every(({ type }) => itemTypes.includes(type))
    )
  })
}

/** Returns the request with items, valid from now on. @param serverMs the time of the server */
export function stampItems(
  { tonConnect, expiresAt }: ShownPayment,
  serverMs: number,
): ItemsRequest {
  const endMs = expiresAt === undefined ? Infinity : Date.parse(expiresAt)
  const validUntil = Math.floor(Math.min(serverMs + MOST_SECONDS * 1000, endMs) / 1000)
  if (validUntil * 1000 <= serverMs) throw new Error('The time to pay is over.')
  return { validUntil, ...tonConnect }
}
