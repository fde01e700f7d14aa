/** Prices per item, in nanotons. */
export const PRICES: Readonly<Record<string, bigint>> = {
  poster: 3_000_000_000n,
  tote: 5_250_000_000n,
}
