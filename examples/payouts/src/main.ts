import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { NestFactory } from '@nestjs/core'
import { keepOthersAway } from './one-worker.js'
import { PayoutWorker } from './payout-worker.js'
import { PayoutsModule } from './payouts.module.js'
import { readSettings } from './settings.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

try {
  const settings = readSettings(process.env)
  await keepOthersAway(settings.dataDir)
  const app = await NestFactory.createApplicationContext(PayoutsModule.register(settings), {
    abortOnError: false,
  })
  // SIGTERM and SIGINT: leave what is on its way to the next start, close the database.
  app.enableShutdownHooks()
  await app.get(PayoutWorker).run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
