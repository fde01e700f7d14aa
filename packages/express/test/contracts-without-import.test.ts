import type { Contracts } from '@tonplug/core/contract'
import express from 'express'
import { expect, it, vi } from 'vitest'
import { listen } from './support/listen.js'

// The tests of another file in this process may have imported the subpath.
vi.resetModules()
const { tonplugClients } = await import('../src/clients-middleware.js')

it('open and provider of req.tonplug throw when the subpath is not imported', async () => {
  const messages: unknown[] = []
  const app = express()
    .use(tonplugClients({ network: 'testnet' }))
    .use((request, response) => {
      // The methods exist without their types.
      const { open, provider } = request.tonplug as unknown as Record<keyof Contracts, () => void>
      for (const method of [open, provider]) {
        try {
          method()
        } catch (error) {
          messages.push(error)
        }
      }
      response.end()
    })
  await fetch((await listen(app)).url)
  expect(messages).toMatchObject(
    Array(2).fill({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringMatching(
        /install @ton\/core and add import '@tonplug\/express\/contract'/,
      ),
    }),
  )
})
