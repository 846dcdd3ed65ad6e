/** `firebase` is a package of many products, each of which it takes from a package of its own. */
declare module 'firebase/firestore' {
  export * from '@firebase/firestore';
}
