import { createConnection, type StreamConnection, type Wire } from './connection.js'
import { noFaults } from './faults.js'
import { InvalidSubscriptionError, type StreamSubscription } from './subscription.js'

/** The open connections of a simulated stream, and its limits. */
export class Connections {
  readonly faults = noFaults()
  readonly all = new Set<StreamConnection>()
  /** Connections that were opened. */
  opened = 0
  /** Connections that were refused because of the limit. */
  refused = 0
  /** The times at which connections ended. */
  #ended: number[] = []

  /** Returns the error text when no further connection is allowed. */
  limit(): string | undefined {
    const { lingerMs, maxConnections } = this.faults
    this.#ended = this.#ended.filter((ms) => Date.now() - ms < lingerMs)
    const active = this.all.size + this.#ended.length
    if (active < maxConnections) return undefined
    this.refused++
    return `connection limit reached: ${maxConnections === 0 ? 0 : active} active connections`
  }

  /** @throws {InvalidSubscriptionError} for too many addresses. */
  checkAddresses(current: number, { addresses: { size } }: StreamSubscription): void {
    const { maxAddresses } = this.faults
    if (size <= maxAddresses) return
    const text =
      current === 0
        ? `too many addresses: ${size} > max ${maxAddresses}`
        : `address limit exceeded: current ${current} + new ${size} > max ${maxAddresses}`
    throw new InvalidSubscriptionError(text)
  }

  open(wire: Wire): StreamConnection {
    const connection = createConnection(wire, this.faults)
    this.all.add(connection)
    this.opened++
    return connection
  }

  closed(connection: StreamConnection): void {
    if (this.all.delete(connection)) this.#ended.push(Date.now())
  }
}
