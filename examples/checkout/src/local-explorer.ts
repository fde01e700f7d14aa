import { Router } from 'express'

/** The path of a transaction is this one, followed by the hash. */
export const LOCAL_EXPLORER = '/transactions/'

/** Serves the transactions of a simulated chain, which has no explorer, and refuses requests of web pages. */
export function localExplorer(chainUrl: string): Router {
  const router = Router()
  router.get(`${LOCAL_EXPLORER}:hash`, async ({ params: { hash } }, response) => {
    const found = await fetch(`${chainUrl}/api/v3/transactions?hash=${encodeURIComponent(hash)}`)
    response.status(found.status).json(await found.json())
  })
  return router
}
