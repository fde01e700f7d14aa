import type { Contracts } from '@tonplug/core/contract'
import { expect, it, vi } from 'vitest'

// The tests of another file in this process may have imported the subpath.
vi.resetModules()
const { V2Service } = await import('../../src/v2.service.js')
const { V3Service } = await import('../../src/v3.service.js')

it.each([
  ['V2Service', new V2Service({ network: 'testnet' })],
  ['V3Service', new V3Service({ network: 'testnet' })],
])('open and provider of %s throw when the subpath is not imported', (_name, service) => {
  // The methods exist without their types.
  const { open, provider } = service as unknown as Record<keyof Contracts, () => unknown>
  const message = {
    code: 'ERR_TONPLUG_CONFIGURATION',
    message: expect.stringMatching(
      /install @ton\/core and add import '@tonplug\/nestjs\/contract'/,
    ),
  }
  expect(open).toThrow(expect.objectContaining(message))
  expect(provider).toThrow(expect.objectContaining(message))
})
