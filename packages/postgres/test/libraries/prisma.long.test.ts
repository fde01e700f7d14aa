import { fromPrisma } from '../../src/executors/from-prisma.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'
import { generatePrismaClient } from '../prisma/generate-client.js'
import { openPrismaClient } from '../prisma/open-client.mjs'

describeLibrary('Prisma', openPrisma)

async function openPrisma(url: string): Promise<OpenLibrary> {
  const { href, remove } = await generatePrismaClient()
  const prisma = await openPrismaClient(href, { connectionString: url, max: CONNECTIONS })
  const limits = { maxWait: 30_000, timeout: 30_000 }
  return {
    db: fromPrisma(prisma),
    inTransaction: (work) => prisma.$transaction((tx) => work(fromPrisma(tx)), limits),
    close: async () => {
      await prisma.$disconnect()
      await remove()
    },
  }
}
