/** The injection token of {@link ShopSettings}. */
export const SETTINGS = Symbol('settings')
/** The injection token of the order repository. */
export const ORDERS = Symbol('orders')
