// Resolves the adapter in this project.
import { PrismaPg } from '@prisma/adapter-pg'

/** Opens a generated client with the driver adapter: queries need no engine. @param href the URL of its module */
export async function openPrismaClient(href, { connectionString, max }) {
  const { PrismaClient } = await import(href)
  return new PrismaClient({ adapter: new PrismaPg({ connectionString, max }) })
}
