import type { SimulatedWallet } from '@tonplug/simulator'
import express, { Router } from 'express'

/** Serves a wallet of the simulated chain, which pays what the page asks a phone to pay. */
export function testWallet(wallet: SimulatedWallet): Router {
  const router = Router()
  router.get('/test-wallet', (_request, response) => {
    response.json({ address: wallet.address.toRawString() })
  })
  // A link (`ton://transfer/…`), or the request of TON Connect.
  router.post('/test-wallet/payments', express.json(), async ({ body }, response) => {
    await wallet.pay(body.payment)
    response.sendStatus(204)
  })
  return router
}
