import { Inject, Injectable } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import type { Address, Contract, ContractProvider, OpenedContract } from '@ton/core'
import type { V2Client } from '@tonplug/core'
import { createContracts } from '@tonplug/core/contract'
import type { ContractInit, Contracts } from '@tonplug/core/contract'
import { getV2Token } from './tonplug.tokens.js'

/**
 * Contracts of `@ton/core` over API v2, for injection by its class. List it among the providers of your module: it is not
 * part of `TonplugModule`, since `@ton/core` is optional.
 * @example
 * ```ts
 * @Injectable()
 * export class JettonsService {
 *   constructor(private readonly contracts: ContractsService) {}
 *
 *   supply(master: Address) {
 *     return this.contracts.open(JettonMaster.create(master)).getJettonData()
 *   }
 * }
 * ```
 */
@Injectable()
export class ContractsService implements Contracts {
  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {}

  /** Opens a contract over the client of the instance without a name: see core's {@link Contracts}. */
  open<C extends Contract>(contract: C): OpenedContract<C> {
    return this.of().open(contract)
  }

  /** A provider over the client of the instance without a name: see core's {@link Contracts}. */
  provider(address: Address, init?: ContractInit | null): ContractProvider {
    return this.of().provider(address, init)
  }

  /** Contracts over the client of an instance. @param name the instance. @default 'default' */
  of(name?: string): Contracts {
    const v2 = this.moduleRef.get<V2Client>(getV2Token(name), { strict: false })
    return createContracts({ v2 })
  }
}
