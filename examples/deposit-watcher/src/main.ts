import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ConsoleLogger } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { DepositWatcher } from './deposit-watcher.js'
import { readSettings } from './settings.js'
import { WatcherModule } from './watcher.module.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

try {
  const worker = WatcherModule.register(readSettings(process.env))
  const logger = new ConsoleLogger({ json: true })
  const app = await NestFactory.createApplicationContext(worker, { logger, abortOnError: false })
  // SIGTERM and SIGINT: credit the current page, then close the database.
  app.enableShutdownHooks()
  await app.get(DepositWatcher).run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
