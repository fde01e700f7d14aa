import { PGlite } from '@electric-sql/pglite'
import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { createContracts } from '@tonplug/core/contract'
import { TonplugModule, V2Service } from '@tonplug/nestjs'
import { ChainTime } from './chain-time.js'
import { openDatabase } from './database.js'
import { PayoutFile } from './payout-file.js'
import { PayoutQueue } from './payout-queue.js'
import { PayoutWallet } from './payout-wallet.js'
import { PayoutWorker } from './payout-worker.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

/** The module of the worker. */
@Module({})
export class PayoutsModule {
  /** Registers the worker with these settings. */
  static register(settings: Settings): DynamicModule {
    return {
      module: PayoutsModule,
      imports: [TonplugModule.forRoot(settings.transport)],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: PGlite, useFactory: () => openDatabase(settings.dataDir) },
        {
          provide: PayoutWallet,
          useFactory: (v2: V2Service) =>
            PayoutWallet.open(settings.wallet, createContracts({ v2 })),
          inject: [V2Service],
        },
        ChainTime,
        PayoutQueue,
        PayoutFile,
        PayoutWorker,
      ],
    }
  }
}
