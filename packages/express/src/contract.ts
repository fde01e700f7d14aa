import { createContracts } from '@tonplug/core/contract'
import type { Contracts } from '@tonplug/core/contract'
import { enableContracts } from './contract-methods.js'

/**
 * Adds `open` and `provider` for contracts of `@ton/core` to `req.tonplug`, over API v2. Import it once in the app. It is a
 * subpath because `@ton/core` is optional.
 * @example
 * ```ts no-check
 * import '@tonplug/express/contract'
 *
 * app.get('/supply', async (req, res) => {
 *   const jetton = req.tonplug.open(JettonMaster.create(master))
 *   res.json({ supply: (await jetton.getJettonData()).totalSupply.toString() })
 * })
 * ```
 */
declare module './clients-middleware.js' {
  interface TonplugClients extends Contracts {}
}

enableContracts(createContracts)
