/** The events that handlers subscribe to; each is a property of the options of `createPayments`. */
export const HANDLER_EVENTS = [
  'onPaid',
  'onFailed',
  'onMismatch',
  'onExtraPayment',
  'onUnknownOrder',
  'onUnverified',
] as const satisfies readonly HandlerEvent[]

export type HandlerEvent =
  'onPaid' | 'onFailed' | 'onMismatch' | 'onExtraPayment' | 'onUnknownOrder' | 'onUnverified'
