// The compiled shop, in a process that the tests can kill.
import { NestFactory } from '@nestjs/core'
import { openDatabase } from '../dist/database.js'
import { ShopModule } from '../dist/shop.module.js'

const { settings, secret } = JSON.parse(process.argv[2])
const database = await openDatabase(settings)
const app = await NestFactory.create(ShopModule.register({ secret, database }), { logger: false })
await app.listen(0, '127.0.0.1')
process.send({ url: await app.getUrl() })
