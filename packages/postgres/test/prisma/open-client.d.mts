import type { PrismaLike } from '../../src/executors/from-prisma.js'

export interface PrismaClient extends PrismaLike {
  $transaction<Result>(
    work: (tx: PrismaLike) => Promise<Result>,
    options: { maxWait: number; timeout: number },
  ): Promise<Result>
  $disconnect(): Promise<void>
}

export declare function openPrismaClient(
  href: string,
  options: { connectionString: string; max: number },
): Promise<PrismaClient>
