/** The scheme of the documents that show skills. */
export const skillScheme = 'patchbay-skill';
