import { createContracts } from '@tonplug/core/contract'
import type { Contracts } from '@tonplug/core/contract'
import { enableContracts } from './contract-methods.js'

/**
 * Lets `V2Service` and `V3Service`, and those of named instances, open contracts of `@ton/core`. Import it where they do,
 * or once in the app; it is a subpath since `@ton/core` is optional.
 * @example
 * ```ts
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
