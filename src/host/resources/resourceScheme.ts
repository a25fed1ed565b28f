/** The scheme of the documents that show resources. */
export const resourceScheme = 'patchbay-resource';
