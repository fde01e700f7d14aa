export type OrderStatus = 'pending' | 'failed' | 'expired' | 'cancelled' | 'completed'

/** Statuses in which an order still waits for its payment. */
export const OPEN: readonly OrderStatus[] = ['pending', 'failed', 'expired']
