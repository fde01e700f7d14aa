import { PGlite } from '@electric-sql/pglite'
import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { TonplugModule } from '@tonplug/nestjs'
import { ContractsService } from '@tonplug/nestjs/contract'
import { ChainTime } from './chain-time.js'
import { openDatabase } from './database.js'
import { PayoutFile } from './payout-file.js'
import { PayoutQueue } from './payout-queue.js'
import { PayoutWallet } from './payout-wallet.js'
import { PayoutWorker } from './payout-worker.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

/** The whole worker. */
@Module({})
export class PayoutsModule {
  /** The worker with these settings. */
  static register(settings: Settings): DynamicModule {
    return {
      module: PayoutsModule,
      imports: [TonplugModule.forRoot(settings.transport)],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: PGlite, useFactory: () => openDatabase(settings.dataDir) },
        ContractsService,
        {
          provide: PayoutWallet,
          useFactory: (contracts: ContractsService) =>
            PayoutWallet.open(settings.wallet, contracts),
          inject: [ContractsService],
        },
        ChainTime,
        PayoutQueue,
        PayoutFile,
        PayoutWorker,
      ],
    }
  }
}
