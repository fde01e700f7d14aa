/** Buys a product as the shop's page does. Returns the order's reference. */
export async function buy(url: string, product: string): Promise<string> {
  const answer = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product }),
  })
  // The response of the shop.
  const { reference } = (await answer.json()) as { reference: string }
  return reference
}
