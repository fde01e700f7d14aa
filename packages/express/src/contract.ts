import { createContracts } from '@tonplug/core/contract'
import type { Contracts } from '@tonplug/core/contract'
import { enableContracts } from './contract-methods.js'

/**
 * Lets `req.tonplug` open contracts of `@ton/core`, over API v2. Import it where that is done, or once in the app; it is
 * a subpath since `@ton/core` is optional.
 * @example
 * ```ts
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
