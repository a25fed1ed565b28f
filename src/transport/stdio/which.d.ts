declare module 'which' {
  /** @returns the path of the executable, or null when there is none */
  export default function which(
    command: string,
    options: { readonly nothrow: true; readonly pathExt?: string | undefined },
  ): Promise<string | null>;
}
