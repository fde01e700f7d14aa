import { PGlite } from '@electric-sql/pglite'
import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { systemClock } from '@tonplug/core'
import type { Clock } from '@tonplug/core'
import { TonplugModule } from '@tonplug/nestjs'
import { openDatabase } from './database.js'
import { DepositWatcher } from './deposit-watcher.js'
import { Ledger } from './ledger.js'
import type { Settings } from './settings.js'
import { CLOCK, SETTINGS } from './tokens.js'

/** The module of the worker. */
@Module({})
export class WatcherModule {
  /** Registers the worker with these settings. Tests pass a fake clock. */
  static register(settings: Settings, clock?: Clock): DynamicModule {
    return {
      module: WatcherModule,
      imports: [TonplugModule.forRoot({ ...settings.transport, clock })],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: CLOCK, useValue: clock ?? systemClock },
        { provide: PGlite, useFactory: () => openDatabase(settings.dataDir) },
        Ledger,
        DepositWatcher,
      ],
    }
  }
}
