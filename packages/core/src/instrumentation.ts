import type { TransportInstrumentation } from './transport/instrumentation.js'
import type { ReceiverInstrumentation } from './webhook/instrumentation.js'

/** Watches receivers and transports; one may be given to any number of both. */
export interface Instrumentation extends ReceiverInstrumentation, TransportInstrumentation {}
