import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ConsoleLogger } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { acquireWorkerLock } from './worker-lock.js'
import { PayoutWorker } from './payout-worker.js'
import { PayoutsModule } from './payouts.module.js'
import { readSettings } from './settings.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

try {
  const settings = readSettings(process.env)
  await acquireWorkerLock(settings.dataDir)
  const app = await NestFactory.createApplicationContext(PayoutsModule.register(settings), {
    logger: new ConsoleLogger({ json: true }),
    abortOnError: false,
  })
  // SIGTERM and SIGINT: close the database; the next start continues with the sent message.
  app.enableShutdownHooks()
  await app.get(PayoutWorker).run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
