import { expect, it } from 'vitest'
import { countOf, startReceived } from './signed-shop.js'

it('S150 proves the wallet once for 1,000 orders that wait', async () => {
  const { claims, server, open } = await startReceived(1000)
  const witness = open()
  const verdicts = await Promise.all(claims.map((claim) => witness.compare(claim, {})))
  expect(verdicts).toEqual(claims.map(() => ({ kind: 'confirmed' })))
  expect(countOf(server)).toEqual([1, 1, 63])
})
