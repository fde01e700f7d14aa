/** Opens a generated client with the driver adapter: queries need no engine. @param href the URL of its module */
export async function openPrismaClient(href, { connectionString, max }) {
  // Resolves the adapter in this project. Generating the client reports that it is not installed.
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import(href),
  ])
  return new PrismaClient({ adapter: new PrismaPg({ connectionString, max }) })
}
