import { PrismaPg } from '@prisma/adapter-pg'
import { fromPrisma, type PrismaLike } from '../../src/executors/from-prisma.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'
import { generatePrismaClient } from './prisma-client.js'

interface PrismaClient extends PrismaLike {
  $transaction<Result>(
    work: (tx: PrismaLike) => Promise<Result>,
    options: { maxWait: number; timeout: number },
  ): Promise<Result>
  $disconnect(): Promise<void>
}

describeLibrary('Prisma', openPrisma)

/** Prisma with its driver adapter: queries need no engine. */
async function openPrisma(url: string): Promise<OpenLibrary> {
  const { href, remove } = await generatePrismaClient()
  const client = (await import(href)) as {
    PrismaClient: new (options: { adapter: PrismaPg }) => PrismaClient
  }
  const adapter = new PrismaPg({ connectionString: url, max: CONNECTIONS })
  const prisma = new client.PrismaClient({ adapter })
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
