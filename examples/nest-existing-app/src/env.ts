/** Reads a required environment variable. */
export function env(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name}, see .env.example`)
  return value
}
