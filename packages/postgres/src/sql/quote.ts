/** Returns an identifier as SQL. PostgreSQL compares quoted identifiers case-sensitively. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns a string as an SQL constant. Without a cast it takes the type of the column that it is compared with. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
