/** Parameters of a link that opens a wallet app with a transfer. */
export interface TransferRequest {
  /** The friendly address of the recipient. */
  address: string
  /** Base units. */
  amount: string
  /** The comment. A wallet accepts it or `bin`. */
  text?: string | undefined
  /** The body: a bag of cells in standard base64. */
  bin?: string | undefined
  /** The friendly address of the jetton master. */
  jetton?: string | undefined
  /** Unix seconds. */
  exp?: string | undefined
}

/** Returns a link that opens a wallet app with a transfer. */
export function transferLink(transfer: TransferRequest): string {
  return `ton://transfer/${transferPath(transfer)}`
}

/** Returns the address and the query of a link. Wallets read a `+` as itself, so a space is `%20`. */
export function transferPath({ address, ...parameters }: TransferRequest): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  return `${address}?${query.join('&')}`
}
