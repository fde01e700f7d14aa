import { createContracts } from '@tonplug/core/contract'
import type { Contracts } from '@tonplug/core/contract'
import { enableContracts } from './contract-methods.js'

/**
 * Adds `open` and `provider` for contracts of `@ton/core` to `V2Service` and `V3Service` of all instances. Import it once in
 * the app. It is a subpath because `@ton/core` is optional.
 * @example
 * ```ts no-check
 * import '@tonplug/nestjs/contract'
 *
 * @Injectable()
 * export class JettonsService {
 *   constructor(private readonly v2: V2Service) {}
 *
 *   supply(master: Address) {
 *     return this.v2.open(JettonMaster.create(master)).getJettonData()
 *   }
 * }
 * ```
 */
declare module './v2.service.js' {
  interface V2Service extends Contracts {}
}

declare module './v3.service.js' {
  interface V3Service extends Contracts {}
}

enableContracts(createContracts)
