import { expect, it } from 'vitest'
import { bodyVariants } from './body-variants.js'

it('returns only the given bytes of a body beyond 64 KiB', () => {
  const [longest, tooLong] = [65_536, 65_537].map((length) => Buffer.alloc(length, '[1]'))
  expect([...bodyVariants(longest!)].length).toBeGreaterThan(1)
  expect([...bodyVariants(tooLong!)]).toEqual([{ bytes: tooLong }])
})
