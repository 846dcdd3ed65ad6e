/** Up to its major 7, uuid has a module for each of its functions. */
declare module 'uuid/v5' {
  export default function v5(name: string, namespace: string): string;
}
